// Indices beyond the elements of a vector and a string, and the last ones that there are.
// revisions: vector string inside
#include <array>
#include <cstdio>
#include <string>
#include <vector>

int main(int argc, char**)
{
    std::vector<double> v(10, 0.5);
    std::array<int, 4> a{1, 2, 3, 4};
    std::string s(30, 's');
#ifdef REV_vector
    std::printf("%g\n", v[argc + 9]); //[vector]~ ERROR out-of-bounds: out-of-bounds read of 8 bytes
#elif defined(REV_string)
    std::printf("%c\n", s[argc + 40]); //[string]~ ERROR out-of-bounds: out-of-bounds read of 1 byte
#else
    std::printf("%g %d %c %d\n", v[argc + 8], a[argc + 2], s[argc + 28], s[argc + 29]);
#endif
}
