// A pool of threads that takes functions from a queue and gives futures.
#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <future>
#include <iostream>
#include <memory>
#include <mutex>
#include <numeric>
#include <queue>
#include <stdexcept>
#include <thread>
#include <vector>

class Pool {
    std::vector<std::thread> workers;
    std::queue<std::function<void()>> tasks;
    std::mutex gate;
    std::condition_variable wake;
    bool stop = false;

    void work()
    {
        for (;;) {
            std::function<void()> task;
            {
                std::unique_lock<std::mutex> lock(gate);
                wake.wait(lock, [this] { return stop || !tasks.empty(); });
                if (stop && tasks.empty()) return;
                task = std::move(tasks.front());
                tasks.pop();
            }
            task();
        }
    }

public:
    explicit Pool(unsigned n)
    {
        for (unsigned i = 0; i < n; i++) workers.emplace_back(&Pool::work, this);
    }
    template <typename F, typename... A> auto run(F &&f, A &&...args)
    {
        using R = std::invoke_result_t<F, A...>;
        auto task = std::make_shared<std::packaged_task<R()>>(std::bind(std::forward<F>(f), std::forward<A>(args)...));
        std::future<R> result = task->get_future();
        {
            std::lock_guard<std::mutex> lock(gate);
            tasks.emplace([task] { (*task)(); });
        }
        wake.notify_one();
        return result;
    }
    ~Pool()
    {
        {
            std::lock_guard<std::mutex> lock(gate);
            stop = true;
        }
        wake.notify_all();
        for (auto &w : workers) w.join();
    }
};

int square(int x)
{
    if (x == 7) throw std::runtime_error("seven");
    return x * x;
}

int main()
{
    {
        Pool pool(4);
        std::vector<std::future<int>> results;
        for (int i = 0; i < 10; i++) results.push_back(pool.run(square, i));
        for (auto &r : results) try {
                std::cout << r.get() << ' ';
            } catch (const std::exception &e) {
                std::cout << e.what() << ' ';
            }
        std::cout << '\n';
        std::atomic<int> ran{0};
        for (int i = 0; i < 100; i++) pool.run([&ran] { ran++; });
        auto last = pool.run([] { return std::string("done"); });
        std::cout << last.get() << '\n';
    }
    std::vector<double> v(10000);
    std::iota(v.begin(), v.end(), 0.0);
    auto sum = [&](std::size_t from, std::size_t to) { return std::accumulate(v.begin() + from, v.begin() + to, 0.0); };
    std::vector<std::future<double>> parts;
    for (std::size_t p = 0; p < 4; p++) parts.push_back(std::async(std::launch::async, sum, p * 2500, (p + 1) * 2500));
    double total = 0;
    for (auto &p : parts) total += p.get();
    std::cout << total << '\n';

    std::promise<int> promise;
    std::shared_future<int> shared = promise.get_future().share();
    std::vector<std::thread> readers;
    std::atomic<int> seen{0};
    for (int i = 0; i < 3; i++) readers.emplace_back([shared, &seen] { seen += shared.get(); });
    std::cout << (shared.wait_for(std::chrono::milliseconds(1)) == std::future_status::timeout) << '\n';
    promise.set_value(14);
    for (auto &r : readers) r.join();
    std::cout << seen << '\n';

    std::promise<void> go, ready;
    std::thread waiter([&] {
        ready.set_value();
        go.get_future().wait();
        std::cout << "went\n";
    });
    ready.get_future().wait();
    std::cout << "ready\n";
    go.set_value();
    waiter.join();
    auto lazy = std::async(std::launch::deferred, [] { return std::this_thread::get_id(); });
    std::cout << (lazy.get() == std::this_thread::get_id()) << '\n';
    std::promise<int> broken;
    auto f = broken.get_future();
    std::thread([p = std::move(broken)]() mutable { auto gone = std::move(p); }).join();
    try {
        f.get();
    } catch (const std::future_error &e) {
        std::cout << (e.code() == std::future_errc::broken_promise) << '\n';
    }
}
