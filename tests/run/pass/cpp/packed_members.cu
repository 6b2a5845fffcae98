// Members of packed classes lie anywhere: constructors, default values, copies, assignments and zeros know that.
#include <assert.h>
#include <stdio.h>

#pragma pack(push, 1)
struct Inner {
    char c;
    int n;
    __host__ __device__ Inner() : c(1), n(2) {}
};

class All {
    char tag;
    char *p;
    double d = 2.5;
    int a[2] = {1, 2};
    const int &r;
    union {
        short s;
        long wide;
    };
    struct {
        char odd;
        long inside = 11;
    };
    Inner in;
    int n;

public:
    __host__ __device__ All(const int &x) : tag(0), p(nullptr), r(x), wide(5), n(7) {}
    __host__ __device__ All(const All &o) : tag(o.tag), p(o.p), r(o.r), wide(o.wide), in(o.in), n(o.n) {}
    __host__ __device__ int sum() const { return n + a[1] + in.n + (int)d + r + (int)wide + (int)inside; }
};

struct Plain {
    char c;
    long l;
};

struct Made {
    char c;
    long l = 3;
    Inner in;
};

struct Zeroed {
    char c;
    long l;
    double d;
    Inner in;
};
#pragma pack(pop)

struct __attribute__((packed)) Base {
    char c;
    long l;
    __host__ __device__ explicit Base(long x) : c(1), l(x) {}
};

struct Derived : Base {
    long own = 6;
    __host__ __device__ Derived() : Base(5) {}
    using Base::Base;
};

template <class T>
struct __attribute__((packed)) Pair {
    char c;
    T first, second;
    __host__ __device__ Pair(T a, T b) : c(0), first(a), second(b) {}
};

__host__ __device__ long all(int one) {
    All x(one), y(x);
    Plain p{1, 2}, q;
    q = p;
    Made m, k = m;
    k = m;
    Zeroed z = Zeroed();
    Base b(4);
    Derived d;
    Derived e(9);
    d = e;
    Pair<double> pair(1.0, 2.0);
    Pair<double> other = pair;
    long sum = y.sum() + q.l + k.l + k.in.n + z.l + (long)z.d + z.in.n + b.l + d.l + d.own;
    return sum + (long)(other.first + other.second);
}

__global__ void kernel(long *out) { *out = all(1); }

int main() {
    long *out, there;
    cudaMalloc(&out, sizeof *out);
    kernel<<<1, 1>>>(out);
    cudaMemcpy(&there, out, sizeof there, cudaMemcpyDeviceToHost);
    assert(there == all(1));
    printf("%ld\n", there);
    cudaFree(out);
}
