// A number of type `long double` is stored as a whole by `scanf` and kin.
#include <stdio.h>

int main(void) {
    long double v, pair[2];
    if (sscanf("1.5 -0.25", "%Lf%Lg", &v, &pair[1]) == 2) printf("%Lg %Lg\n", v, pair[1]);
    pair[0] = v;
    printf("%d\n", pair[0] > pair[1]);
    return 0;
}
