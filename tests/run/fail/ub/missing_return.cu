// A function that ends without the value that its caller uses.
#include <stdio.h>

int sign(int x) {
    if (x > 0) return 1;
    if (x < 0) return -1;
} //~ ERROR undefined-behavior

int main(int argc, char **) {
    printf("%d\n", sign(argc));
    fflush(stdout);
    return sign(argc - 1) + 1;
}
