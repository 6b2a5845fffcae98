// Threads of the host that wait for each other; the near misses take the locks in one order, are signalled, are
// signalled by a function that a stream calls, or are told to end.
// revisions: locks forgotten alone ordered signalled stream late
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

std::mutex a, b;
std::condition_variable changed;
bool ready = false;

void nap() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

void wait_until_ready() {
    std::unique_lock<std::mutex> lock(a);
    changed.wait(lock, [] { return ready; }); //[forgotten]~ RELATED deadlock
                                              //[alone]~^ ERROR deadlock
}

void tell(void*) {
    std::lock_guard<std::mutex> lock(a);
    ready = true;
    changed.notify_all();
}

__global__ void nothing() {}

int main() {
#if defined(REV_locks) || defined(REV_ordered)
#ifdef REV_ordered
    std::mutex &first = a, &second = b;
#else
    std::mutex &first = b, &second = a;
#endif
    std::thread one([] {
        std::lock_guard<std::mutex> x(a);
        nap();
        std::lock_guard<std::mutex> y(b); //[locks]~ RELATED deadlock
    });
    std::thread two([&] {
        std::lock_guard<std::mutex> x(first);
        nap();
        std::lock_guard<std::mutex> y(second); //[locks]~ RELATED deadlock
    });
    one.join(); //[locks]~ ERROR deadlock
    two.join();
#elif defined(REV_forgotten)
    std::thread one(wait_until_ready);
    nap();
    {
        std::lock_guard<std::mutex> lock(a);
        ready = true;
    }
    one.join(); //[forgotten]~ ERROR deadlock
#elif defined(REV_alone)
    wait_until_ready();
#elif defined(REV_signalled)
    std::thread one(wait_until_ready);
    nap();
    tell(nullptr);
    one.join();
#elif defined(REV_stream)
    nothing<<<1, 1>>>();
    cudaLaunchHostFunc(nullptr, tell, nullptr);
    wait_until_ready();
#else
    std::thread one([] {
        nap();
        tell(nullptr);
    });
    wait_until_ready();
    one.detach();
#endif
    std::printf("done\n");
}
