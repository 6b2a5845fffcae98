// `char8_t`: literals, overloads, arithmetic, members, strings.
// std: c++20
#include <cstdio>
#include <cstring>
#include <type_traits>
#include <string>
#include <string_view>
void f(int) { puts("int"); }
void f(unsigned char) { puts("uchar"); }
void f(char) { puts("char"); }
template<class T> const char *name(T) { return "other"; }
template<> const char *name(char8_t) { return "char8_t"; }
template<> const char *name(unsigned char) { return "unsigned char"; }
struct G { void operator()(char8_t c) { printf("g %d\n", c); } void operator()(unsigned char c) { printf("u %d\n", c); } };
constexpr char8_t big = u8'\xff';
enum E : char8_t { A = 200, B };
struct S { char8_t c : 3; const char8_t *p; char8_t a[5]; };
const char8_t global[] = u8"äöü";
int main() {
    f(u8'a');
    puts(name(u8'a')); puts(name((unsigned char)'a'));
    G{}(u8'z');
    printf("%d %d %zu %d\n", big, B, sizeof(global), big << 1);
    S s{5, u8"long", u8"four"};
    s.c += 4;
    printf("%d %s %s\n", s.c, (const char *)s.p, reinterpret_cast<char *>(s.a));
    for (char8_t c : global) printf("%x ", c);
    puts("");
    auto p = u8R"(raw "x")";
    printf("%s %d\n", (const char *)p, strcmp((const char *)p, "raw \"x\""));
    char8_t x = 250; x += 10; unsigned y = ~x; printf("%d %u\n", x, y);
    switch (x) { case u8'\x04': puts("four"); break; default: puts("?"); }
    static_assert(!std::is_same_v<char8_t, unsigned char>);
    std::u8string u = u8"abc";
    u += u8"déf";
    std::u8string_view v = u;
    printf("%zu %s %d\n", v.size(), (const char *)u.c_str(), (int)v.find(u8'f'));
    char8_t *h = new char8_t[3]{1, 2}; printf("%d %d %d\n", h[0], h[1], h[2]); delete[] h;
    auto l = [](auto c) { return sizeof(c) + (c > 100); };
    printf("%zu\n", l(u8'~'));
}
