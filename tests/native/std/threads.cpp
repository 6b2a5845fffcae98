// Threads that are joined, locks that one thread holds at a time, atomics, call_once.
#include <atomic>
#include <chrono>
#include <functional>
#include <iostream>
#include <mutex>
#include <numeric>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

std::mutex gate;
std::atomic<int> hits{0};
int shared_sum = 0;
std::once_flag once;

void add(int n)
{
    for (int i = 0; i < n; i++) {
        std::lock_guard<std::mutex> lock(gate);
        shared_sum += i;
    }
    hits++;
    std::call_once(once, [] { std::cout << "once\n"; });
}
struct Worker {
    int id;
    int result = 0;
    void run(int x) { result = id * x; }
};

int main()
{
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) threads.emplace_back(add, 10 * (i + 1));
    for (auto& t : threads) t.join();
    std::cout << shared_sum << ' ' << hits << '\n';
    Worker w{7};
    std::thread t(&Worker::run, &w, 6);
    t.join();
    std::cout << w.result << ' ' << t.joinable() << '\n';
    std::vector<int> v(1000);
    std::iota(v.begin(), v.end(), 1);
    std::vector<long> parts(4);
    std::vector<std::thread> pool;
    for (int p = 0; p < 4; p++)
        pool.emplace_back([&, p] { parts[p] = std::accumulate(v.begin() + p * 250, v.begin() + (p + 1) * 250, 0L); });
    for (auto& th : pool) th.join();
    std::cout << std::accumulate(parts.begin(), parts.end(), 0L) << '\n';
    std::atomic<long> counter{5};
    std::cout << counter.fetch_add(3) << counter.load() << counter.exchange(1) << ++counter << counter-- << '\n';
    long expected = 1;
    std::cout << counter.compare_exchange_strong(expected, 9) << counter << counter.is_lock_free() << '\n';
    std::atomic<bool> flag{false};
    flag.store(true, std::memory_order_release);
    std::atomic_flag spin = ATOMIC_FLAG_INIT;
    std::cout << flag.load(std::memory_order_acquire) << spin.test_and_set() << spin.test_and_set() << '\n';
    int value = 3;
    std::atomic<int*> pointer{&value};
    *pointer.load() = 4;
    std::cout << value << '\n';
    std::unique_lock<std::mutex> lock(gate, std::defer_lock);
    std::cout << lock.owns_lock() << lock.try_lock() << '\n';
    lock.unlock();
    std::recursive_mutex again;
    {
        std::lock_guard<std::recursive_mutex> a(again), b(again);
        std::scoped_lock both(gate);
    }
    std::shared_mutex readers;
    {
        std::shared_lock<std::shared_mutex> r(readers);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::cout << (std::thread::hardware_concurrency() > 0) << (std::this_thread::get_id() == std::thread::id()) << '\n';
}
