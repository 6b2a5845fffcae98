// Destructors that nobody wrote: of members, arrays, bases and temporaries, in the right order.
#include <cstdio>

struct Noise {
    int n;
    Noise(int n = 0) : n(n) {}
    Noise(const Noise &o) : n(o.n + 100) {}
    ~Noise() { printf("~%d ", n); }
};
struct Base { Noise b{1}; };
struct Pair : Base {
    Noise x{2};
    int between = 0;
    Noise ys[2] = {3, 4};
};
struct Holder {
    Pair p;
    Noise last{5};
};

Holder make() { return Holder(); }

int main() {
    { Holder h; printf("made "); }
    printf("\n");
    { Holder h = make(); Holder copy = h; printf("copied "); }
    printf("\n");
    Holder *many = new Holder[2];
    delete[] many;
    printf("\n");
    delete new Pair;
    printf("\n");
    make();
    printf("end\n");
}
