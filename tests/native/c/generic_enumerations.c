// `_Generic` chooses by compatible types: an enumeration is compatible with its integer type, and with no other enumeration.
#include <stdio.h>
enum Signed { low = -1 };
enum Plain { one };
enum Other { two };
typedef enum Signed Named;
typedef int Number;
static int chosen(void) { return puts("chosen"); }
static int usual(int n) { return printf("usual %d\n", n); }
#define IS(x, T) puts(_Generic((x), T: #x " is " #T, default: #x " is no " #T))

int main(void)
{
    enum Signed s = low, *to_signed = &s;
    enum Plain p = one;
    Named named = low;
    int i = 0, *to_int = &i;
    unsigned u = 1;
    _Generic(1, enum Signed: chosen(), default: usual(1));
    _Generic(1, long: usual(2), enum Signed: chosen(), default: usual(3));
    _Generic(s, int: chosen(), default: usual(4));
    _Generic(p, int: chosen(), default: usual(5));
    IS(1, enum Signed);
    IS(one, enum Signed);
    IS(to_int, enum Signed *);
    IS(to_signed, int *);
    IS(to_signed, Number *);
    IS(to_signed, unsigned *);
    IS(p, enum Other);
    IS(u, enum Other);
    IS(p, unsigned);
    IS(i, Named);
    IS(named, Number);
    IS(named, const int);
    IS(&to_signed, int **);
    IS(&to_signed, int *const *);
    IS(i, signed);
    IS(s, signed int);
    IS(s, long);
    return 0;
}
