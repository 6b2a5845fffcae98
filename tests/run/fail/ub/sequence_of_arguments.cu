// Arguments of a call are evaluated one after the other from C++17 on, in whichever order: what one macro makes within a
// call and beside it is told apart.
// flags: -std=c++17
#include <cstdio>

#define INCREMENT i++
#define SAME(x) x
#define WITHIN sum(i++, i)
#define BESIDE sum(i++, 1) + i

static int sum(int a, int b) { return a + b; }

int main(int argc, char **) {
    int i = argc, r = 0;
    r += SAME(sum(INCREMENT, INCREMENT)); //~ WARNING undefined-behavior: `i` is modified in one argument
    r += WITHIN; //~ WARNING undefined-behavior: `i` is modified in one argument
    r += BESIDE; //~ ERROR undefined-behavior: `i` is modified and used
    r += (SAME(i) SAME(+=) INCREMENT);
    std::printf("%d %d\n", i, r > 0);
}
