// std: c++20
// Latches, barriers, semaphores, atomic variables that are waited for, threads that join by themselves and stop.
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdio>
#include <latch>
#include <mutex>
#include <condition_variable>
#include <semaphore>
#include <stop_token>
#include <thread>
#include <vector>

int main()
{
    std::latch started(4), finish(1);
    std::atomic<int> sum{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 4; i++)
            threads.emplace_back([&, i] {
                started.count_down();
                finish.wait();
                sum += i;
            });
        started.wait();
        std::printf("%d %d\n", sum.load(), started.try_wait());
        finish.count_down();
    }
    std::printf("%d\n", sum.load());

    int phases = 0;
    std::barrier meet(3, [&]() noexcept { phases++; });
    std::vector<int> steps(3);
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 3; i++)
            threads.emplace_back([&, i] {
                for (int r = 0; r < 4; r++) {
                    steps[i]++;
                    meet.arrive_and_wait();
                    for (int s : steps)
                        if (s < r + 1) std::printf("too early\n");
                }
                meet.arrive_and_drop();
            });
    }
    std::printf("%d %d\n", phases, steps[0] + steps[1] + steps[2]);

    std::counting_semaphore<8> slots(2);
    std::binary_semaphore done(0);
    std::atomic<int> inside{0}, most{0};
    {
        std::vector<std::jthread> threads;
        for (int i = 0; i < 5; i++)
            threads.emplace_back([&] {
                slots.acquire();
                int now = ++inside;
                for (int m = most; now > m && !most.compare_exchange_weak(m, now);) {}
                std::this_thread::yield();
                inside--;
                slots.release();
            });
        threads.emplace_back([&] { done.release(); });
        done.acquire();
    }
    std::printf("%d %d\n", most.load() <= 2, done.try_acquire_for(std::chrono::milliseconds(1)));

    std::atomic<int> word{0};
    std::jthread waiter([&] {
        word.wait(0);
        word = 2;
        word.notify_all();
    });
    word = 1;
    word.notify_one();
    word.wait(1);
    std::printf("%d\n", word.load());

    std::mutex gate;
    std::condition_variable_any changed;
    bool stopped = false;
    std::jthread loop([&](std::stop_token token) {
        std::unique_lock lock(gate);
        changed.wait(lock, token, [] { return false; });
        stopped = token.stop_requested();
    });
    loop.request_stop();
    loop.join();
    std::printf("%d\n", stopped);
    std::atomic_flag flag;
    std::jthread setter([&] {
        flag.test_and_set();
        flag.notify_one();
    });
    flag.wait(false);
    std::printf("%d\n", flag.test());
}
