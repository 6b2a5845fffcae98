// The last owner destroys.
#include <cstdio>
#include <memory>
struct R { int i; R(int i) : i(i) { std::printf("+%d\n", i); } ~R() { std::printf("-%d\n", i); } };
int main() { { std::unique_ptr<R> u(new R(1)); auto v = std::make_unique<R>(2); } auto s = std::make_shared<R>(3); auto t = s; s.reset(); std::printf("%ld\n", t.use_count()); }
