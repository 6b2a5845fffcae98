// Futures, promises, packaged tasks.
#include <future>
#include <iostream>
#include <vector>
#include <numeric>
#include <stdexcept>
int work(int n) {
    return n * n;
}
int main() {
    auto f = std::async(std::launch::async, work, 7);
    std::cout << f.get() << "\n";
    auto d = std::async(std::launch::deferred, [] { return std::string("deferred"); });
    std::cout << d.get() << "\n";
    std::promise<int> p;
    auto pf = p.get_future();
    std::thread t([&p] { p.set_value(42); });
    std::cout << pf.get() << "\n";
    t.join();
    std::packaged_task<int(int, int)> task([](int a, int b) { return a + b; });
    auto tf = task.get_future();
    task(3, 4);
    std::cout << tf.get() << "\n";
    auto ex = std::async([]() -> int { throw std::runtime_error("boom"); });
    try {
        ex.get();
    } catch (const std::exception& e) {
        std::cout << e.what() << "\n";
    }
    std::vector<std::future<long>> fs;
    for (int i = 0; i < 4; i++) fs.push_back(std::async(std::launch::async, [i] { std::vector<int> v(100); std::iota(v.begin(), v.end(), i); return std::accumulate(v.begin(), v.end(), 0L); }));
    long s = 0;
    for (auto& x : fs) s += x.get();
    std::cout << s << "\n";
    std::shared_future<int> sf = std::async([] { return 5; }).share();
    std::cout << sf.get() + sf.get() << "\n";
    std::promise<void> pv;
    auto fv = pv.get_future();
    std::cout << (fv.wait_for(std::chrono::seconds(0)) == std::future_status::timeout) << "\n";
    pv.set_value();
    fv.wait();
    std::cout << fv.valid() << "\n";
    try {
        std::promise<int> b;
        auto bf = b.get_future();
        {
            std::promise<int> c = std::move(b);
        }
        bf.get();
    } catch (const std::future_error& e) {
        std::cout << e.what() << " " << e.code().value() << "\n";
    }
}
