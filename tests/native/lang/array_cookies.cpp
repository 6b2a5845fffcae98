// How many bytes `new[]` asks for, where the class's own `delete[]` takes their number.
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
static void *take(const char *who, size_t n) { std::printf("%s new %zu\n", who, n); return std::malloc(n); }
static void give(const char *who, void *p, size_t n) { std::printf("%s delete %zu\n", who, n); std::free(p); }

struct Sized {
    int n;
    void *operator new[](size_t n) { return take("sized", n); }
    void operator delete[](void *p, size_t n) { give("sized", p, n); }
};
struct Derived : Sized { char more; };
struct Plain {
    int n;
    void *operator new[](size_t n) { return take("plain", n); }
    void operator delete[](void *p) { give("plain", p, 0); }
};
struct Both {
    short n;
    void *operator new[](size_t n) { return take("both", n); }
    void operator delete[](void *p) { give("both", p, 0); }
    void operator delete[](void *p, size_t n) { give("both, sized", p, n); }
};
struct Ends {
    int n;
    ~Ends() { std::printf("end %d\n", n); }
    void *operator new[](size_t n) { return take("ends", n); }
    void operator delete[](void *p, size_t n) { give("ends", p, n); }
};
template <class T> struct Of {
    T value;
    void *operator new[](size_t n) { return take("of", n); }
    void operator delete[](void *p, size_t n) { give("of", p, n); }
};
struct Single {
    int n;
    void *operator new(size_t n) { return take("single", n); }
    void operator delete(void *p, size_t n) { give("single", p, n); }
};
struct Throws {
    int n;
    Throws() { static int made; if (++made == 3) throw 1; n = made; }
    void *operator new[](size_t n) { return take("throws", n); }
    void operator delete[](void *p, size_t n) { give("throws", p, n); }
};

int main()
{
    delete[] new Sized[5];
    delete[] new Derived[3]();
    delete[] new Plain[5];
    delete[] new Both[5];
    delete[] new Of<double>[4];
    delete[] new Of<char>[7];
    delete[] new Single[2];
    delete new Single;
    Ends *ends = new Ends[2]{{1}, {2}};
    delete[] ends;
    using Row = Sized[4];
    Sized(*rows)[4] = new Row[3];
    rows[2][3].n = 7;
    std::printf("%d\n", rows[2][3].n);
    delete[] rows;
    Sized *none = nullptr;
    delete[] none;
    int length = 0;
    delete[] new Sized[length];
    try {
        delete[] new Throws[4];
    } catch (int) {
        std::puts("thrown");
    }
    ::delete[] ::new Sized[1];
}
