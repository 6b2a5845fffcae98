// Virtual functions: calls from constructors and destructors, several bases, slicing, covariant results, deletes.
#include <cstdio>
struct Shape {
    int id;
    Shape(int i) : id(i) { printf("Shape %d %s\n", id, name()); }
    virtual ~Shape() { printf("~Shape %d %s\n", id, name()); }
    virtual const char *name() const { return "shape"; }
    virtual double area() const = 0;
    double twice() const { return 2 * area(); }
};
struct Square : Shape {
    double a;
    Square(int i, double a) : Shape(i), a(a) { printf("Square %s\n", name()); }
    ~Square() override { printf("~Square\n"); }
    const char *name() const override { return "square"; }
    double area() const override { return a * a; }
};
struct Unit final : Square {
    Unit() : Square(7, 1) {}
    const char *name() const override { return "unit"; }
};
struct Named { virtual void say(int n) { printf("named %d\n", n); } long tag = 5; };
struct Both : Shape, Named {
    Both() : Shape(9) {}
    double area() const override { return 42; }
    void say(int n) override { printf("both %d id %d tag %ld\n", n, id, tag); }
};
struct Plain { int x = 3; };
struct Mixed : Plain, Named { int y = 4; void say(int n) override { printf("mixed %d %d %d\n", n, x, y); } };
struct Holder { Unit u; Named n; };
struct Node { virtual Node *clone() const { return new Node(*this); } virtual int v() const { return 1; } virtual ~Node() {} };
struct Leaf : Node { int w; Leaf(int w) : w(w) {} Leaf *clone() const override { return new Leaf(*this); } int v() const override { return w; } };
int main()
{
    Shape *s[3] = {new Square(1, 3), new Unit, new Both};
    for (Shape *p : s) printf("%s %g %g %s\n", p->name(), p->area(), p->twice(), p->Shape::name());
    Named *n = static_cast<Both *>(s[2]);
    n->say(1);
    Mixed m;
    Named &r = m;
    r.say(2);
    m.say(3);
    for (Shape *p : s) delete p;
    { Holder h; printf("holder %s\n", h.u.name()); Holder copy = h; printf("copy %s\n", ((Shape &)copy.u).name()); }
    Leaf leaf(5);
    Node sliced = leaf;
    Node *c = ((Node &)leaf).clone();
    printf("%d %d %d\n", ((Node &)leaf).v(), ((Node &)sliced).v(), c->v());
    Leaf other(6); other = leaf;
    Node &on = other; printf("%d\n", on.v());
    delete c;
    delete (Shape *)nullptr;
    printf("%zu %zu %zu\n", sizeof(Both), sizeof(Mixed), sizeof(Unit));
}
