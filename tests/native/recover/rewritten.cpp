// Rewrites that change nothing: splices, comments, digraphs, macros and parentheses where the tree does not show them.
#include <cstdio>
#include <new>
#include <string>
#include <typeinfo>
#include <vector>

#define SAME(...) __VA_ARGS__
#define T_int int

struct A {
    int x = 3;
    A() {}
};

struct Plain {
    int a;
    int b;
};

struct Big {
    int a[4];
};

struct Fields {
    int b : 4 {-2 /* ' \ */};
    int c : 5 {3};
};

struct Typed {
    int a : 4 {5};
    T_int b : 4 {-2};
};

struct Circle {
    virtual ~Circle() {}
};

struct Called {
    int name(int q) const { return q; }
    int operator()(int z) const { return z + 1; }
};

template <class T> const char* type_name() {
#define E typeid(const T*).name
    return E();
#undef E
}

template <class... P> struct Packed {
    int own = 4;
    int sum(P... a) {
        return [a\
..., this] { return (a + ... + own); }();
    }
};

static int for_behind_macro(std::vector<int>& v) {
#define K for
    auto sum = [](auto& all) {
        int init = 1;
        K (auto& e : all) init += e;
        return init;
    };
#undef K
    return sum(v);
}

static const char* switch_behind_macro(int which) {
#define K switch
    K (which) {
        case 1: return "one";
        default: return "else";
    }
#undef K
}

static const char* switch_spliced(int which) {
    swi\
tch \
(which) {
        case 1: return "one";
        default: return "else";
    }
}

static int throws(int what) { return what ? (throw what) : 2; }

int main() {
    char* aligned = new (std::align_val_t{128}\
) char[100];
    for (int i = 0; i < 100; i++) aligned[i] = i;
    std::printf("%d\n", aligned[99]);
    ::operator delete[](aligned, std::align_val_t{128});

    Plain plain\
{};
    std::printf("%d %d\n", plain.a, plain.b);

    A* as = new SAME(A)[2];
    int* is = new int SAME([2]);
    is[1] = 4;
    std::printf("%d %d\n", as[1].x, is[1]);
    delete[] as;
    delete[] is;

    Big* three = new (std::nothrow) Big <: 3 :>;
    Big* two = new Big <: 2 :>;
    char* hundred = new char <: 100 :>;
    three[2].a[3] = two[1].a[3] = hundred[99] = 1;
    std::printf("%d %d %d\n", three[2].a[3], two[1].a[3], hundred[99]);
    delete[] three;
    delete[] two;
    delete[] hundred;

    Called called;
    std::vector<int> v;
    std::string s("ab");
    (v.push_back)(3);
    (s.insert)(1, "<<");
    std::printf("%d %d %s %zu\n", (called.name)(3), (called)(2), s.c_str(), (s.size)());
    for (auto it = (v.begin)(); it != (v.end)(); ++it) std::printf("%d\n", *it);
    auto add = [](auto... a) { return (a + ... + 0); };
    std::printf("%d %d\n", (add)(1, 2), (add.template operator()<int, int>)(3, 4));

    Fields fields;
    Typed typed;
    std::printf("%d %d %d %d\n", fields.b, fields.c, typed.a, typed.b);
    std::printf("%d %s %s\n", for_behind_macro(v), switch_behind_macro(1), switch_spliced(2));
    std::printf("%s\n", type_name<int>());
    std::printf("%s\n", typeid(/* __CUDA_ARCH__ auto& = decltype(0) */ Circle /* R"( */).name());
    std::printf("%s\n", typeid(double \
).name());
    std::printf("%d\n", Packed<int, int>().sum(1, 2));
    try {
        throws(5);
    } catch (int) {
        try {
            (throw);
        } catch (int what) {
            std::printf("%d %d\n", what, throws(0));
        }
    }
    return 0;
}
