// if, switch and for with a first part.
#include <cstdio>
int f(int x) {
    switch (int k = x % 3; k) {
        case 2: return 20 + k;
        case 1: return 10;
        default:
        return 0;
    }
}
int g(int x) {
    switch (int k = x; x % 2) {
        case 1: k += 5;
        return k;
        default:
        return -k;
    }
}
int h(int x) {
    switch (int k = x % 3) {
        case 2: return k + 1;
    }
    return 0;
}
int q();
int r(int x);
int main() {
    printf("%d %d %d\n", q(), r(1), r(4));
    printf("%d %d %d %d\n", f(5), f(4), f(3), h(5));
    printf("%d %d\n", g(3), g(4));
}
#include <vector>
int q() {
    int t = 0;
    for (std::vector<int> v{1, 2, 3}; int x : v) t += x;
    for (int n = 2; int x : {1, 2}) t += x * n;
    return t;
}
int r(int x) {
    if (int y = x * 2; y > 5) return y;
    else return -y;
}
