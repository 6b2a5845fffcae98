// The member of a union that has a value where the program names none.
#include <cstdio>
struct C1 { union { int u; float w = 1.5f; }; int k = 3; };
struct C2 { union { int u; float w = 1.5f; }; int k; C2() : k(3) {} C2(int) : u(4), k(5) {} C2(long) : w(2.5f), k(6) {} C2(const C2 &) = default; };
union U { int u; float w = 1.5f; char c[8]; };
union V { int u; float w = 1.5f; V() {} V(int) : u(7) {} };
struct C3 { struct { int b; char w[2]; }; int a = 1; union { char x; int y = 9; }; int k; };
struct C4 { union { struct { int a = 4, b = 5; } s; long l; }; C4() {} };
struct C5 { union { struct { int a, b; } s = {8, 9}; long l; }; };
struct C6 { union { union { int i; float f = 3.5f; }; long l; }; int z = 1; };
struct Base : C1 { int q; }; 
struct Has { C1 c; U u; C3 t[2]; };
int main() {
  C1 a; printf("%g %d\n", a.w, a.k); C1 a2{}; printf("%g %d\n", a2.w, a2.k); C1 a3{{7}}; printf("%d %d\n", a3.u, a3.k); auto *p = new C1; printf("%g %d\n", p->w, p->k); delete p;
  C2 b; printf("%g %d\n", b.w, b.k); C2 b1(1); printf("%d %d\n", b1.u, b1.k); C2 b2(2L); printf("%g %d\n", b2.w, b2.k); C2 b3 = b2; printf("%g\n", b3.w);
  U u; printf("%g\n", u.w); U u2{}; printf("%g\n", u2.w); U u3{5}; printf("%d\n", u3.u); U *up = new U(); printf("%g\n", up->w); delete up; U ua[2]; printf("%g\n", ua[1].w);
  V v; printf("%g\n", v.w); V v2(1); printf("%d\n", v2.u); V v3{}; printf("%g\n", v3.w);
  C3 c{}; printf("%d %d %d %d\n", c.a, c.b, c.y, c.k); C3 c2; printf("%d %d\n", c2.a, c2.y); 
  C5 e; printf("%d %d\n", e.s.a, e.s.b);
  Base ba; printf("%g %d\n", ba.w, ba.k); Has h; printf("%g %g %d %d\n", h.c.w, h.u.w, h.t[1].a, h.t[1].y); Has h2{}; printf("%g %g %d %d\n", h2.c.w, h2.u.w, h2.t[1].a, h2.t[1].y);
  C1 arr[3]; printf("%g\n", arr[2].w); static C1 s; printf("%g\n", s.w); const C1 k{}; printf("%g\n", k.w); C1 t = C1(); printf("%g\n", t.w);
  auto l = [c1 = C1{}] { return c1.w; }; printf("%g\n", l());
}
