// Layouts of classes with virtual bases, by the addresses of their parts.
#include <cstdio>
#include <cstddef>
struct E0 {}; struct E1 {};
struct P0 { virtual ~P0() {} };                 // nearly empty
struct P1 : virtual P0 { virtual void a() {} };  // nearly empty, P0 is primary
struct P2 : virtual P0 { virtual void b() {} int x = 1; };
struct P3 : virtual P1 {};
struct P4 : P2, virtual P1 { char c = 2; };
struct P5 : virtual P3, virtual P2 { short s = 3; };
struct N0 { char c = 0; int i = 0; char t = 0; };  // POD: tail is its own
struct N3 { char c; int i; char t; }; struct NN { N3 n; char k; NN() {} }; struct T7 : virtual N3 { char z; }; struct T8 : T7, virtual NN { char z; };
struct N1 { char c = 0; int i = 0; char t = 0; N1() {} };  // tail is shared
struct N2 { int i = 0; private: char t = 0; };
struct T0 : virtual N0 { char z = 1; };
struct T1 : virtual N1 { char z = 1; };
struct T2 : virtual N2 { char z = 1; };
struct T3 : T0, T1, T2 { char y = 4; };
struct T4 : T3, virtual E0 { char k; };
struct T5 : virtual E0, virtual E1 { double d = 1; };
struct T6 : T5, virtual P0 { E0 e; };
struct alignas(32) L0 { int q = 0; };
struct L1 : virtual L0 { char c = 1; };
struct L2 : L1, virtual N1 { char c = 1; };
struct L3 : virtual L2, T3 {};
struct BF { unsigned a : 3, b : 7; BF() : a(1), b(2) {} };
struct B1 : virtual BF { unsigned c : 5; B1() : c(3) {} };
struct B2 : B1 { char d = 1; };
struct B3 : virtual B2, P5 {};
struct Q1 : virtual P0 {}; struct Q2 : virtual P0 {}; struct Q3 : Q1, Q2 {}; struct Q1v : virtual P0 {}; struct Q3x : Q1, Q2 {}; struct Q4 : virtual Q1v, Q3x {};
struct R0 { virtual void f() {} virtual ~R0() {} int m = 0; };
struct R1 : virtual R0 { void f() override {} long n = 0; };
struct R2 : R1, virtual Q3 { char o = 0; };
struct R3 : virtual R2, virtual T6, B3 { char p = 0; };
#define AT(D, B) do { D d; std::printf("%s in %s at %td\n", #B, #D, (char*)static_cast<B*>(&d) - (char*)&d); } while (0)
#define SZ(D) std::printf("%s %zu %zu\n", #D, sizeof(D), alignof(D))
int main() {
  SZ(T7); SZ(T8); AT(T7, N3); AT(T8, N3); AT(T8, NN);
  SZ(P1); SZ(P2); SZ(P3); SZ(P4); SZ(P5); SZ(T0); SZ(T1); SZ(T2); SZ(T3); SZ(T4); SZ(T5); SZ(T6); SZ(L1); SZ(L2); SZ(L3); SZ(B1); SZ(B2); SZ(B3); SZ(Q3); SZ(Q4); SZ(R1); SZ(R2); SZ(R3);
  AT(P1, P0); AT(P2, P0); AT(P3, P0); AT(P3, P1); AT(P4, P0); AT(P4, P1); AT(P4, P2); AT(P5, P0); AT(P5, P1); AT(P5, P2); AT(P5, P3);
  AT(T0, N0); AT(T1, N1); AT(T2, N2); AT(T3, N0); AT(T3, N1); AT(T3, N2); AT(T3, T1); AT(T3, T2);
  AT(T4, N0); AT(T4, N1); AT(T4, N2); AT(T4, E0); AT(T5, E0); AT(T5, E1); AT(T6, E0); AT(T6, E1); AT(T6, P0);
  AT(L1, L0); AT(L2, L0); AT(L2, N1); AT(L3, L0); AT(L3, L2); AT(L3, N0); AT(L3, N1); AT(L3, T3);
  AT(B1, BF); AT(B2, BF); AT(B3, BF); AT(B3, B2); AT(B3, P5); AT(B3, P0); AT(B3, P1); AT(B3, P2);
  AT(Q3, P0); AT(Q3, Q2); AT(Q4, P0); AT(Q4, Q1v); AT(Q4, Q3x);
  AT(R1, R0); AT(R2, R0); AT(R2, P0); AT(R2, Q1); AT(R2, Q2); AT(R2, Q3);
  AT(R3, R0); AT(R3, R1); AT(R3, R2); AT(R3, Q3); AT(R3, P0); AT(R3, T6); AT(R3, E0); AT(R3, E1); AT(R3, BF); AT(R3, B2); AT(R3, P5);
}
