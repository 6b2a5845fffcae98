// Threads of the host take turns at the same places whether their functions run as machine code or not: also where the first of
// them becomes machine code just as its turn ends.
#include <cstdio>
#include <thread>

static volatile int flag, value;

int main() {
    std::thread t([] {
        for (int i = 0; i < 100000; i++) value = value + 1;
        flag = 1;
    });
    long rounds = 0;
    while (!flag) rounds++;
    t.join();
    printf("%ld %d\n", rounds, value);
}
