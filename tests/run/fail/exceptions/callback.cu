// An exception leaves a callback of the runtime: it has no caller to take it, whether the callback runs in a call of the runtime or while
// all threads of the host wait for something else.
// revisions: waits synchronises
#include <condition_variable>
#include <cstdio>
#include <mutex>

static void tell(void *) {
    throw 7; //~ ERROR assertion-failed: an uncaught exception
}

int main() {
    cudaLaunchHostFunc(0, tell, nullptr);
#if defined(REV_waits)
    std::mutex m;
    std::condition_variable c;
    std::unique_lock<std::mutex> l(m);
    try {
        c.wait(l);
    } catch (int) {
        printf("taken\n");
    }
#else
    cudaDeviceSynchronize();
#endif
}
