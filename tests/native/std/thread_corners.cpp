// Waiting inside of functions that the library calls, in constructors of statics, and at the end of the program.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <condition_variable>
#include <exception>
#include <future>
#include <map>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

std::mutex gate;
std::condition_variable changed;
int stage = 0;

void reach(int n)
{
    std::lock_guard<std::mutex> lock(gate);
    stage = n;
    changed.notify_all();
}
void await(int n)
{
    std::unique_lock<std::mutex> lock(gate);
    changed.wait(lock, [n] { return stage >= n; });
}
// Waits while a static is made, for a thread that was begun before.
struct Early {
    std::string text;
    Early()
    {
        std::thread t([this] { text = "made by a thread"; });
        t.join();
    }
} early;

int compare(const void *a, const void *b)
{
    std::lock_guard<std::mutex> lock(gate);
    return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}
std::once_flag once;
int made = 0;
void make() { made++; std::this_thread::yield(); std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int depth(int n)
{
    char room[64];
    room[n % 64] = static_cast<char>(n);
    if (n % 100 == 0) std::this_thread::yield();
    return n == 0 ? 0 : 1 + depth(n - 1) + room[n % 64] * 0;
}

int main()
{
    std::printf("%s\n", early.text.c_str());
    // A comparison of qsort takes a lock that others hold and give back.
    int numbers[] = {5, 2, 9, 1, 7, 3};
    bool done = false;
    std::thread holder([&] {
        for (int i = 0; i < 20; i++) {
            std::lock_guard<std::mutex> lock(gate);
            std::this_thread::yield();
        }
        done = true;
    });
    std::this_thread::yield();
    std::qsort(numbers, 6, sizeof(int), compare);
    holder.join();
    std::printf("%d %d %d\n", numbers[0], numbers[5], done);

    std::vector<std::thread> all;
    for (int i = 0; i < 4; i++) all.emplace_back([] { std::call_once(once, make); if (made != 1) std::printf("not made\n"); });
    for (auto &t : all) t.join();
    std::printf("%d\n", made);

    // Exceptions of one thread beside those of another.
    std::exception_ptr caught;
    std::thread thrower([&] {
        try {
            reach(1);
            await(2);
            throw std::runtime_error("from a thread");
        } catch (...) {
            caught = std::current_exception();
            reach(3);
            await(4);
            std::printf("%d\n", std::uncaught_exceptions());
        }
    });
    try {
        await(1);
        throw std::logic_error("from main");
    } catch (const std::exception &e) {
        reach(2);
        await(3);
        try {
            std::rethrow_exception(caught);
        } catch (const std::exception &inner) {
            std::printf("%s, %s\n", e.what(), inner.what());
        }
        reach(4);
    }
    thrower.join();

    // Threads that begin threads, and recursion on stacks of their own.
    std::vector<int> results(6);
    std::vector<std::thread> outer;
    for (int i = 0; i < 3; i++)
        outer.emplace_back([&results, i] {
            std::thread inner([&results, i] { results[2 * i] = fib(10 + i); });
            results[2 * i + 1] = depth(500 + i);
            inner.join();
        });
    for (auto &t : outer) t.join();
    for (int r : results) std::printf("%d ", r);
    std::printf("\n");
    auto f = std::async(std::launch::async, [] { return std::async(std::launch::async, fib, 15).get() + 1; });
    auto g = std::async(fib, 12);
    std::printf("%d %d\n", f.get(), g.get());
    // Nobody waits for this one.
    static auto *never = new std::promise<void>;
    std::thread([] { never->get_future().wait(); }).detach();
    std::this_thread::yield();
    std::atexit([] { std::printf("end\n"); });
    try {
        std::thread t;
        t.join();
    } catch (const std::system_error &e) {
        std::printf("%d\n", e.code() == std::errc::invalid_argument);
    }
    return 3;
}
