// A packed bit-field whose bits lie in more bytes than the widest integer has: not supported, and said so. One that fits is
// a number like any other.
// revisions: wide fits
#include <cstdio>

struct __attribute__((packed)) Parts {
    unsigned first : 7;
#ifdef REV_wide
    unsigned __int128 second : 125;
#else
    unsigned __int128 second : 121;
#endif
};

int main() {
    Parts parts{};
    parts.first = 5;
    parts.second = 9; //[wide]~ DIAGNOSTIC unsupported: a bit-field over more than 16 bytes
    printf("%u %d\n", (unsigned)parts.first, (int)parts.second); //[wide]~ DIAGNOSTIC unsupported: a bit-field over more than 16 bytes
}
