// When objects are made, copied, moved and destroyed.
#include <cstdio>
#include <string>
#include <vector>
#include <memory>
#include <utility>
#include <functional>
#include <tuple>
#include <type_traits>
struct T {
    static int n;
    int id;
    const char* s;
    T(const char* s = "d") : id(++n), s(s) {
        printf("+%s%d ", s, id);
    }
    T(const T& o) : id(++n), s(o.s) {
        printf("c%d<-%d ", id, o.id);
    }
    T(T&& o) noexcept : id(++n), s(o.s) {
        o.s = "moved";
        printf("m%d<-%d ", id, o.id);
    }
    T& operator=(const T& o) {
        s = o.s;
        printf("=%d<-%d ", id, o.id);
        return *this;
    }
    T& operator=(T&& o) noexcept {
        s = o.s;
        o.s = "moved";
        printf("=m%d<-%d ", id, o.id);
        return *this;
    }
    ~T() {
        printf("-%d ", id);
    }
};
int T::n = 0;
T make(bool b) {
    T x("x");
    T y("y");
    if (b) return x;
    return y;
}
T pass(T t) {
    return t;
}
struct Agg {
    T a;
    T b{"b"};
    int k = 3;
};
struct Holder {
    T t;
    Holder(T t) : t(std::move(t)) {
    }
};
struct Member {
    T a{"ma"};
    T b;
    Member() : b("mb") {
        throw 1;
    }
};
template <class F> void scope(const char* n, F f) {
    printf("[%s] ", n);
    f();
    puts("");
}
T operator+(const T& a, const T& b) {
    return T("sum");
}
struct Conv {
    operator T() const {
        return T("conv");
    }
};
T global("g");
T& ref(T& t) {
    return t;
}
const T& cref(const T& t) {
    return t;
}
int main() {
    scope("nrvo", [] { T t = make(true); });
    scope("pass", [] { T t = pass(T("p")); });
    scope("pass2", [] { T a("a"); pass(a); pass(std::move(a)); });
    scope("agg", [] { Agg a{T("1")}; Agg b = a; Agg c{}; c = b; });
    scope("hold", [] { T t("t"); Holder h(t); Holder g(std::move(t)); Holder i(T("tmp")); });
    scope("throw", [] { try { Member m; } catch (int) { printf("caught "); } });
    scope("vec", [] { std::vector<T> v; v.reserve(2); v.emplace_back("e1"); v.push_back(T("e2")); v.push_back("e3"); v.erase(v.begin()); v.insert(v.begin(), T("i")); });
    scope("cond", [] { T a("a"), b("b"); bool c = T::n > 0; T d = c ? a : b; T e = c ? T("t1") : b; const T& r = c ? a : T("x"); printf("(%s) ", r.s); });
    scope("sum", [] { T a("a"); T b = a + T("z") + a; });
    scope("conv", [] { T a = Conv(); T b(Conv{}); const T& r = Conv(); printf("(%s)", r.s); });
    scope("ext", [] { const T& r = T("ext"); T&& rr = make(false); printf("(%s%s) ", r.s, rr.s); const int& k = Agg{T("q")}.k; printf("k%d ", k); });
    scope("comma", [] { T a = (T("l"), T("r")); (void)0, T("x"); });
    scope("arr", [] { T a[3] = {"1", T("2")}; T b[2][2] = {{"q"}}; });
    scope("new", [] { T* p = new T[2]{"n1"}; delete[] p; auto u = std::make_unique<T>("u"); auto s = std::make_shared<T>("s"); auto s2 = s; s.reset(); printf("."); });
    scope("loop", [] { for (int i = 0; i < 2; i++) { T t("l"); if (i == 0) continue; printf("body "); break; } for (T t("w"); T::n < 1000; ) { break; } if (T i = T("if"); i.id > 0) printf("in "); else printf("no "); switch (T q("sw"); q.id > 0) { case true: { T r("case"); } default: break; } });
    scope("swap", [] { T a("a"), b("b"); std::swap(a, b); printf("%s%s ", a.s, b.s); });
    scope("tuple", [] { auto t = std::make_tuple(T("t"), 1); auto [x, y] = std::move(t); auto [p, q] = std::pair<T, T>{"p", "q"}; });
    scope("func", [] { std::function<int()> f = [t = T("cap")] { return t.id > 0; }; auto g = f; printf("%d ", g()); });
    scope("refs", [] { T a("a"); T& r = ref(a); T c = cref(r); T&& m = std::move(r); T d = m; T e = std::move(m); });
    scope("opt", [] { T a("1"); a = T("2"); a = pass(a); T b{}; b = {"br"}; b = {}; });
    scope("static", [] { for (int i = 0; i < 2; i++) { static T t("st"); } });
    scope("lambda", [] { auto mk = [](auto... a) { return std::vector<T>{T(a)...}; }; auto v = mk("a", "b"); for (auto&& x : mk("c")) printf("%s ", x.s); for (T x : v) printf("%s ", x.s); });
    scope("exc", [] { try { T a("a"); try { T b("b"); throw T("ex"); } catch (T t) { printf("caught%s ", t.s); throw; } } catch (const T& t) { printf("outer%s ", t.s); } });
    printf("end ");
}
