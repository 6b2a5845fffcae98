// Counters under locks of every kind, variables of each thread, flags that are waited for in a loop.
#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <thread>
#include <vector>

struct Noisy {
    static std::atomic<int> made, gone;
    int value = 3;
    Noisy() { made++; }
    ~Noisy() { gone++; }
};
std::atomic<int> Noisy::made{0}, Noisy::gone{0};

thread_local int plain = 40;
thread_local std::string text = "begin";
thread_local Noisy noisy;
int counted()
{
    static thread_local int calls = 0;
    static thread_local std::vector<int> seen{1, 2};
    seen.push_back(calls);
    return ++calls + static_cast<int>(seen.size());
}

template <typename Lock, typename Guard = std::lock_guard<Lock>> long contend()
{
    Lock lock;
    long count = 0;
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; t++)
        threads.emplace_back([&] {
            for (int i = 0; i < 300; i++) {
                Guard guard(lock);
                long before = count;
                if (i % 50 == 0) std::this_thread::yield();
                count = before + 1;
            }
        });
    for (auto &t : threads) t.join();
    return count;
}

struct SpinLock {
    std::atomic_flag held = ATOMIC_FLAG_INIT;
    void lock()
    {
        while (held.test_and_set(std::memory_order_acquire)) {}
    }
    void unlock() { held.clear(std::memory_order_release); }
};

int main()
{
    std::printf("%ld %ld %ld %ld %ld\n", contend<std::mutex>(), contend<std::recursive_mutex>(),
                contend<std::timed_mutex>(), contend<std::shared_mutex>(), contend<SpinLock>());

    std::atomic<bool> go{false}, done{false};
    std::atomic<int> stage{0};
    std::thread spinner([&] {
        while (!go) {}
        for (int i = 0; i < 100; i++) {
            while (stage.load() != 2 * i) {}
            stage++;
        }
        done = true;
    });
    go = true;
    for (int i = 0; i < 100; i++) {
        while (stage.load() != 2 * i + 1) std::this_thread::yield();
        stage++;
    }
    while (!done.load(std::memory_order_acquire)) {}
    spinner.join();
    std::printf("%d\n", stage.load());

    volatile bool flag = false;
    std::thread setter([&] { flag = true; });
    while (!flag) {}
    setter.join();

    std::mutex gate;
    bool told = false;
    std::thread teller([&] {
        std::lock_guard<std::mutex> lock(gate);
        told = true;
    });
    for (bool heard = false; !heard;) {
        std::lock_guard<std::mutex> lock(gate);
        heard = told;
    }
    teller.join();

    plain = 1;
    text += " main";
    std::vector<std::string> said(3);
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([t, &said] {
            plain += t;
            for (int i = 0; i < t; i++) counted();
            text += " " + std::to_string(t);
            std::this_thread::yield();
            said[t] = text + " " + std::to_string(plain) + " " + std::to_string(counted());
            if (t == 1) noisy.value = 4;
        });
    for (auto &t : threads) t.join();
    for (auto &s : said) std::printf("%s\n", s.c_str());
    std::printf("%d %s %d\n", plain, text.c_str(), counted());
    std::printf("%d %d\n", Noisy::made.load() - Noisy::gone.load(), noisy.value);

    std::shared_mutex table_lock;
    std::map<int, int> table;
    std::vector<std::thread> mixed;
    std::atomic<int> found{0};
    for (int t = 0; t < 3; t++)
        mixed.emplace_back([&, t] {
            for (int i = 0; i < 20; i++) {
                if (i % 5 == t) {
                    std::unique_lock<std::shared_mutex> lock(table_lock);
                    table[10 * t + i] = i;
                    std::this_thread::yield();
                } else {
                    std::shared_lock<std::shared_mutex> lock(table_lock);
                    found += static_cast<int>(table.count(10 * t + i)) * 0 + 1;
                    std::this_thread::yield();
                }
            }
        });
    for (auto &t : mixed) t.join();
    std::printf("%zu %d\n", table.size(), found.load());
    std::timed_mutex timed;
    timed.lock();
    std::thread([&] { std::printf("%d %d\n", timed.try_lock(), timed.try_lock_for(std::chrono::milliseconds(1))); })
        .join();
    timed.unlock();
    std::mutex a, b;
    std::vector<std::thread> both;
    int shared = 0;
    for (int t = 0; t < 4; t++)
        both.emplace_back([&, t] {
            for (int i = 0; i < 50; i++)
                if (t % 2) {
                    std::scoped_lock lock(a, b);
                    shared++;
                    std::this_thread::yield();
                } else {
                    std::scoped_lock lock(b, a);
                    shared++;
                }
        });
    for (auto &t : both) t.join();
    std::printf("%d\n", shared);
}
