// A bounded queue between producers and consumers: conditions, and waiting with and without a limit of time.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <deque>
#include <mutex>
#include <thread>
#include <vector>

template <typename T> class Queue {
    std::mutex gate;
    std::condition_variable filled, emptied;
    std::deque<T> items;
    std::size_t most;
    bool closed = false;

public:
    explicit Queue(std::size_t n) : most(n) {}
    void put(T item)
    {
        std::unique_lock<std::mutex> lock(gate);
        emptied.wait(lock, [&] { return items.size() < most; });
        items.push_back(std::move(item));
        filled.notify_one();
    }
    bool take(T &item)
    {
        std::unique_lock<std::mutex> lock(gate);
        filled.wait(lock, [&] { return closed || !items.empty(); });
        if (items.empty()) return false;
        item = std::move(items.front());
        items.pop_front();
        emptied.notify_one();
        return true;
    }
    void close()
    {
        std::lock_guard<std::mutex> lock(gate);
        closed = true;
        filled.notify_all();
    }
};

int main()
{
    Queue<int> queue(4);
    long sums[3] = {0, 0, 0};
    std::vector<std::thread> consumers, producers;
    for (int c = 0; c < 3; c++)
        consumers.emplace_back([&queue, &sums, c] {
            int x;
            while (queue.take(x)) sums[c] += x;
        });
    for (int p = 0; p < 2; p++)
        producers.emplace_back([&queue, p] {
            for (int i = 1; i <= 500; i++) queue.put(i * (p + 1));
        });
    for (auto &t : producers) t.join();
    queue.close();
    for (auto &t : consumers) t.join();
    std::printf("%ld\n", sums[0] + sums[1] + sums[2]);

    // Taking turns.
    std::mutex gate;
    std::condition_variable changed;
    int turn = 0;
    auto player = [&](int me, const char *word) {
        for (int i = 0; i < 5; i++) {
            std::unique_lock<std::mutex> lock(gate);
            changed.wait(lock, [&] { return turn == me; });
            std::printf("%s ", word);
            turn = 1 - me;
            changed.notify_all();
        }
    };
    std::thread ping(player, 0, "ping"), pong(player, 1, "pong");
    ping.join();
    pong.join();
    std::printf("\n");

    // A limit of time: nobody signals, then somebody does.
    std::unique_lock<std::mutex> lock(gate);
    bool ready = false;
    std::printf("%d\n", changed.wait_for(lock, std::chrono::milliseconds(2)) == std::cv_status::timeout);
    std::printf("%d\n", changed.wait_for(lock, std::chrono::milliseconds(2), [&] { return ready; }));
    std::thread late([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        std::lock_guard<std::mutex> inner(gate);
        ready = true;
        changed.notify_one();
    });
    std::printf("%d\n", changed.wait_for(lock, std::chrono::seconds(60), [&] { return ready; }));
    lock.unlock();
    late.join();
    std::printf("%d\n", changed.wait_until(lock = std::unique_lock<std::mutex>(gate),
                                           std::chrono::system_clock::now() + std::chrono::milliseconds(1)) ==
                            std::cv_status::timeout);
}
