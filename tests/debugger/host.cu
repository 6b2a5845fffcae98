// A program for the debugger: recursion, exceptions, `longjmp`, files, clocks, destructors.
#include <csetjmp>
#include <cstdio>
#include <ctime>

struct Guard {
    int *at;
    ~Guard() {
        *at += 1;
    }
};

int thrown(int depth, int *ended) {
    Guard guard{ended};
    if (depth == 0)
        throw depth + 7;
    int below = thrown(depth - 1, ended);
    return below + depth;
}

int main() {
    int ended = 0, caught = 0;
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    try {
        caught = thrown(2, &ended);
    } catch (int value) {
        caught = value;
    }
    jmp_buf back;
    volatile int turns = 0;
    if (setjmp(back) < 2) {
        turns += 1;
        longjmp(back, turns);
    }
    FILE *file = fopen("walk.txt", "a+");
    fprintf(file, "%d %d\n", caught, ended);
    long length = ftell(file);
    fclose(file);
    remove("walk.txt");
    return length == 4 ? 0 : 1;
}
