// Destructors of instances run at the end of scopes and of the program.
#include <cstdio>
template <typename T> struct Buf {
    T* p = nullptr;
    explicit Buf(int n) { std::printf("make %d\n", n); }
    ~Buf() { std::printf("destroy\n"); }
};
struct Plain { int n; explicit Plain(int n) : n(n) { std::printf("plain %d\n", n); } ~Plain() { std::printf("~plain\n"); } };
void take(Buf<float> b) { std::printf("take\n"); (void)b; }
int main() {
    Buf<int> local(1);
    Buf<float> a(2);
    take(a);
    Plain q(3);
    std::printf("end\n");
}
