// Numbers to characters and back.
#include <charconv>
#include <cstdio>
#include <cmath>
#include <string>
int main() {
    double v[] = {0, -0.0, 1, 0.1, 1e5, 1e6, 123456, 1234567, 1e15, 1e16, 1e17, 123456789012345680000., 1e21, 1e22, 1e23, 1.5e-3, 1e-4, 1e-5, 12345.678, 5e-324, 1.7976931348623157e308, -2.5, 1.0/3, INFINITY, -NAN, 100, 1000, 10000, 0.001, 0.01, 2e-7, 65536, 4294967296., 9007199254740993., 3e10};
    char b[400];
    for (double x : v) {
        auto r = std::to_chars(b, b + 400, x);
        printf("%.*s", int(r.ptr - b), b);
        for (auto f : {std::chars_format::fixed, std::chars_format::scientific, std::chars_format::general, std::chars_format::hex}) {
            r = std::to_chars(b, b + 400, x, f);
            printf(" %.*s", int(r.ptr - b), b);
            r = std::to_chars(b, b + 400, x, f, 3);
            printf(" %.*s", int(r.ptr - b), b);
        }
        puts("");
    }
    float fv[] = {0.1f, 1e10f, 16777216.f, 3.4028235e38f, 0.3f, 123456.7f, 1e7f};
    for (float x : fv) {
        auto r = std::to_chars(b, b + 400, x);
        printf("%.*s ", int(r.ptr - b), b);
        r = std::to_chars(b, b + 400, x, std::chars_format::hex);
        printf("%.*s ", int(r.ptr - b), b);
    }
    puts("");
    for (std::string s : {"1.5", "-2e3", " 1", "+1", "0x1p3", "1e", "1e+", ".5", "5.", ".", "-", "inf", "-INFINITYx", "nan", "1e400", "1e-400", "abc", "1.2.3", "1e5e", "0", "-0.0e10"}) for (auto f : {std::chars_format::general, std::chars_format::fixed, std::chars_format::scientific, std::chars_format::hex}) {
        double d = 99;
        auto r = std::from_chars(s.data(), s.data() + s.size(), d, f);
        printf("%s:%g/%d/%d ", s.c_str(), d, int(r.ptr - s.data()), int(r.ec));
    }
    puts("");
    char t[3];
    auto r = std::to_chars(t, t + 3, 123.456);
    printf("%d %d\n", int(r.ec), int(r.ptr - t));
    int i;
    auto q = std::from_chars("-12z", "-12z" + 4, i);
    printf("%d %d\n", i, *q.ptr);
    r = std::to_chars(b, b + 10, -255, 2);
    printf("%.*s\n", int(r.ptr - b), b);
}
