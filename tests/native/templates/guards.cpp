// A guard of a mutex gives it back at the end of its block.
#include <cstdio>
#include <mutex>
#include <string>
std::mutex m;
int main() { { std::lock_guard<std::mutex> l(m); } bool got = m.try_lock(); std::printf("%d\n", got); std::string s = "abc"; { std::string t = s + "def"; std::printf("%s\n", t.c_str()); } }
