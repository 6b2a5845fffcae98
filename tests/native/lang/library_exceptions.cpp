// Exceptions of the standard library: the classes with their texts, those thrown by the library, and pointers to exceptions.
#include <array>
#include <cstdio>
#include <exception>
#include <new>
#include <stdexcept>
#include <typeinfo>

template <class E> void caught(const char* what) {
    try { throw E(what); }
    catch (const std::exception& e) { printf("%s: %s\n", typeid(e).name(), e.what()); }
}
struct Mine : std::runtime_error {
    int code;
    Mine(int code, const char* text) : std::runtime_error(text), code(code) {}
    ~Mine() override { printf("~Mine "); }
};
struct Own : std::exception { const char* what() const noexcept override { return "own words"; } };
struct Silent : std::exception {};
static std::exception_ptr keep(int n) {
    try { if (n == 0) throw Mine(3, "kept"); if (n == 1) throw 17; }
    catch (...) { return std::current_exception(); }
    return nullptr;
}
static void show(std::exception_ptr p) {
    if (!p) { printf("none\n"); return; }
    try { std::rethrow_exception(p); }
    catch (const Mine& m) { printf("Mine %d %s\n", m.code, m.what()); }
    catch (int i) { printf("int %d\n", i); }
}
struct Watch { int before = std::uncaught_exceptions(); ~Watch() { printf("uncaught %d %d\n", before, std::uncaught_exceptions()); } };

int main() {
    caught<std::logic_error>("a"); caught<std::domain_error>("b"); caught<std::invalid_argument>("c");
    caught<std::length_error>("d"); caught<std::out_of_range>("e"); caught<std::runtime_error>("f");
    caught<std::range_error>("g"); caught<std::overflow_error>("h"); caught<std::underflow_error>("i");
    try { throw std::bad_alloc(); } catch (std::exception& e) { printf("%s\n", e.what()); }
    try { throw std::bad_cast(); } catch (std::exception& e) { printf("%s\n", e.what()); }
    try { throw std::bad_typeid(); } catch (std::exception& e) { printf("%s\n", e.what()); }
    try { throw std::bad_exception(); } catch (std::exception& e) { printf("%s\n", e.what()); }
    try { throw std::bad_array_new_length(); } catch (std::bad_alloc& e) { printf("%s\n", e.what()); }
    try { throw std::exception(); } catch (std::exception& e) { printf("%s\n", e.what()); }
    try { throw Silent(); } catch (std::exception& e) { printf("%s\n", e.what()); }
    try { throw Own(); } catch (std::exception& e) { printf("%s\n", e.what()); }
    try { throw Mine(4, "mine"); } catch (std::runtime_error& e) { printf("%s\n", e.what()); }
    try { throw Mine(5, "copied"); } catch (std::runtime_error e) { std::runtime_error f(e); f = e; printf("%s\n", f.what()); }
    std::array<int, 3> a{1, 2, 3};
    volatile int five = 5;
    try { printf("%d\n", a.at(five)); } catch (const std::out_of_range& e) { printf("%s\n", e.what()); }
    try { printf("%d\n", a.at(five - 3)); } catch (const std::exception& e) { printf("%s\n", e.what()); }
    volatile size_t huge = ~size_t(0) / 2;
    try { char* p = new char[huge]; printf("%p\n", (void*)p); } catch (std::bad_alloc& e) { printf("%s\n", e.what()); }
    try { void* p = operator new(huge); printf("%p\n", p); } catch (std::exception& e) { printf("%s\n", e.what()); }
    for (int n = 0; n < 3; ++n) { auto p = keep(n); auto q = p; show(p); show(q); printf("%d %d\n", p == q, bool(p)); }
    { auto p = std::make_exception_ptr(18); show(p); }
    try { Watch w; try { Watch v; throw 1; } catch (int) { Watch u; } throw 2; } catch (int) { Watch t; }
    return 0;
}
