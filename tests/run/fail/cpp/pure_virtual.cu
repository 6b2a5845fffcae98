// A constructor that calls what only derived classes have.
#include <cstdio>

struct Base {
    Base() { hello(); }
    virtual ~Base() {}
    void hello() { printf("%d\n", value()); }
    virtual int value() = 0; //~ ERROR undefined-behavior: a pure virtual function is called
};

struct Derived : Base {
    int value() override { return 1; }
};

int main() {
    Derived d;
    return d.value();
}
