// Functions that return pointers and references to other parts of an object than those they override.
#include <cstdio>
struct A { int a = 1; virtual ~A() {} virtual A* self() { printf("A::self "); return this; } virtual A& ref() { return *this; } virtual A* none() { return this; } };
struct X { int x = 5; virtual ~X() {} virtual int other() { return x; } };
struct B : X, A { int b = 2; B* self() override { printf("B::self "); return this; } B& ref() override { return *this; } B* none() override { return nullptr; } };
struct C : B { int c = 3; C* self() override { printf("C::self "); return this; } };
struct Y { virtual ~Y() {} int y = 9; };
struct D : Y, C { int d = 4; D* self() override { printf("D::self "); return this; } D& ref() override { return *this; } };
int main() {
    A a; B b; C c; D d;
    A* as[] = {&a, &b, &c, &d};
    for (A* p : as) { A* q = p->self(); printf("%d %d %d %d\n", q == p, q->a, &p->ref() == p, p->none() == p); }
    B* bs[] = {&b, &c, &d};
    for (B* p : bs) { B* q = p->self(); printf("%d %d %d %d %d\n", q == p, q->b, q->a, &p->ref() == p, p->none() == nullptr); }
    C* cs[] = {&c, &d};
    for (C* p : cs) { C* q = p->self(); printf("%d %d %d\n", q == p, q->c, q->x); }
    D* p = &d; printf("%d %d %d\n", p->self() == p, p->self()->d, p->ref().d);
    A* (A::*m)() = &A::self; B* (B::*n)() = &B::self;
    printf("%d %d\n", (d.*m)()->a, (d.*n)()->b);
    return 0;
}
