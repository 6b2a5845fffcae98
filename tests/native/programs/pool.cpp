// A bounded queue between threads, a pool of workers, a counter that is waited for.
#include <chrono>
#include <condition_variable>
#include <functional>
#include <iostream>
#include <mutex>
#include <queue>
#include <thread>
#include <vector>

template <class T>
class Queue {
    std::queue<T> items;
    std::mutex m;
    std::condition_variable ready;
    bool closed = false;

public:
    void push(T t)
    {
        {
            std::lock_guard<std::mutex> lock(m);
            items.push(std::move(t));
        }
        ready.notify_one();
    }
    void close()
    {
        std::lock_guard<std::mutex> lock(m);
        closed = true;
        ready.notify_all();
    }
    bool pop(T& t)
    {
        std::unique_lock<std::mutex> lock(m);
        ready.wait(lock, [this] { return closed || !items.empty(); });
        if (items.empty()) return false;
        t = std::move(items.front());
        items.pop();
        return true;
    }
};

int main()
{
    Queue<std::function<int()>> jobs;
    std::mutex out;
    long total = 0;
    int done = 0;
    std::vector<std::thread> workers;
    for (int i = 0; i < 3; i++)
        workers.emplace_back([&] {
            std::function<int()> job;
            while (jobs.pop(job)) {
                int r = job();
                std::lock_guard<std::mutex> lock(out);
                total += r;
                ++done;
            }
        });
    std::thread producer([&jobs] {
        for (int i = 1; i <= 20; i++) jobs.push([i] { return i * i; });
        jobs.close();
    });
    for (auto& w : workers) w.join();
    producer.join();
    std::cout << total << ' ' << done << '\n';
    bool flag = false;
    std::thread setter([&] { flag = true; });
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    setter.join();
    std::cout << flag << std::endl;
}
