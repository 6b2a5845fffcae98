// Exceptions thrown from everywhere: constructors, initialisers, destructors, handlers, the library.
#include <cstdio>
#include <string>
#include <vector>
#include <stdexcept>
#include <memory>
#include <exception>
#include <functional>
struct R {
    const char* n;
    R(const char* n) : n(n) {
        printf("+%s ", n);
    }
    ~R() {
        printf("-%s ", n);
    }
};
struct E : std::runtime_error {
    int code;
    E(int c) : std::runtime_error("E" + std::to_string(c)), code(c) {
    }
};
int f(int k) {
    R a("a");
    try {
        R b("b");
        if (k == 1) throw E(1);
        if (k == 2) throw 2;
        if (k == 3) throw std::string("s");
        if (k == 4) return 40;
        R c("c");
    } catch (const E& e) {
        R d("d");
        if (e.code) throw std::logic_error("from E");
    } catch (int) {
        return 20;
    }
    return 0;
}
struct M {
    R r{"mr"};
    std::unique_ptr<R> p;
    M(bool t) try : p(new R("mp")) {
        if (t) throw 5;
    } catch (int i) {
        printf("ctor%d ", i);
        throw E(9);
    }
};
void g() noexcept(false) {
    for (int i = 0;; i++) {
        R l("l");
        if (i == 1) {
            try {
                throw i;
            } catch (...) {
                R x("x");
                break;
            }
        }
    }
}
struct D {
    ~D() noexcept(false) {
        if (std::uncaught_exceptions() == 0) throw 1;
        printf("quiet ");
    }
};
template <class F> std::string run(F f) {
    try {
        f();
        return "ok";
    } catch (const std::exception& e) {
        return std::string("std:") + e.what();
    } catch (int i) {
        return "int:" + std::to_string(i);
    } catch (const std::string& s) {
        return "str:" + s;
    } catch (const char* s) {
        return s;
    } catch (...) {
        return "other";
    }
}
std::exception_ptr keep() {
    try {
        throw E(7);
    } catch (...) {
        return std::current_exception();
    }
}
int depth(int n) {
    R r("r");
    return n ? depth(n - 1) + 1 : throw n;
}
int main() {
    for (int k = 0; k < 5; k++) printf("%s\n", run([=] { printf("=%d ", f(k)); }).c_str());
    printf("%s\n", run([] { M m(true); }).c_str());
    printf("%s\n", run([] { M m(false); }).c_str());
    printf("%s\n", run(g).c_str());
    printf("%s\n", run([] { D d; }).c_str());
    printf("%s\n", run([] { D d; throw "lit"; }).c_str());
    printf("%s\n", run([] { std::rethrow_exception(keep()); }).c_str());
    printf("%s\n", run([] { depth(3); }).c_str());
    printf("%s\n", run([] { throw 1.5; }).c_str());
    printf("%s\n", run([] { std::vector<int>().at(1); }).c_str());
    printf("%s\n", run([] { std::string("abc").substr(9); }).c_str());
    printf("%s\n", run([] { std::function<void()>()(); }).c_str());
    printf("%s\n", run([] { int* p = new int[3]; std::unique_ptr<int[]> u(p); throw std::bad_alloc(); }).c_str());
    printf("%s\n", run([] { R v[3] = {"1", "2", (throw 3, "x")}; }).c_str());
    printf("%s\n", run([] { try { throw E(1); } catch (std::exception& e) { try { throw; } catch (E& x) { x.code = 5; } throw; } }).c_str());
    printf("%s\n", run([] { auto l = [](auto x) { R y("y"); if (x > 1) throw x; return x; }; l(1); l(2); }).c_str());
    try {
        try {
            throw E(3);
        } catch (std::runtime_error e) {
            throw e;
        }
    } catch (E&) {
        puts("E");
    } catch (std::runtime_error&) {
        puts("sliced");
    }
    try {
        throw (short)3;
    } catch (int) {
        puts("int");
    } catch (short) {
        puts("short");
    }
    int x = 0;
    try {
        x = 1;
        throw &x;
    } catch (const int* p) {
        printf("%d\n", *p);
    }
    goto out;
    out: return run([] { std::vector<R> v; v.reserve(2); v.emplace_back("v1"); throw 0; }) == "int:0";
}
