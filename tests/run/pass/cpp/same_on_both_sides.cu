// The same templates on the host and on the device compute the same, bit for bit: arithmetic of every width, IEEE
// operations, classes, operators, lambdas, packs, virtual calls, recursion, function pointers, references.
// std: c++14
#include <cstdio>
#include <cstring>

#define BOTH __host__ __device__

template <class T> struct Complex {
    T re, im;
    BOTH constexpr Complex(T r = 0, T i = 0) : re(r), im(i) {}
    BOTH friend Complex operator*(const Complex& a, const Complex& b)
    {
        return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
    }
    BOTH Complex& operator+=(const Complex& o) { re += o.re; im += o.im; return *this; }
};

template <class T, int N> struct Poly {
    T c[N];
    BOTH T operator()(T x) const
    {
        T r = c[N - 1];
        for (int i = N - 2; i >= 0; i--) r = r * x + c[i];
        return r;
    }
};

template <unsigned N> struct Power {
    template <class T> BOTH static T of(T x)
    {
        if constexpr (N == 0) return T(1);
        else if constexpr (N % 2) return x * Power<N - 1>::of(x);
        else return Power<N / 2>::of(x * x);
    }
};

struct Base {
    BOTH virtual ~Base() {}
    BOTH virtual int value(int x) const { return x; }
};
template <int K> struct Scaled : Base {
    int offset;
    BOTH explicit Scaled(int o) : offset(o) {}
    BOTH int value(int x) const override { return x * K + offset; }
};

template <class... T> BOTH auto total(T... t) { return (t + ...); }
template <class F, class... T> BOTH void each(F&& f, T&&... t) { (f(t), ...); }
template <class T> BOTH T ack(T m, T n) { return m == 0 ? n + 1 : n == 0 ? ack<T>(m - 1, 1) : ack<T>(m - 1, ack<T>(m, n - 1)); }

struct Hash {
    unsigned long long h = 1469598103934665603ull;
    template <class T> BOTH void add(const T& t)
    {
        unsigned char bytes[sizeof(T)];
        memcpy(bytes, &t, sizeof(T));
        for (unsigned char b : bytes) h = (h ^ b) * 1099511628211ull;
    }
};

template <class T> BOTH void integers(Hash& h, long long seed)
{
    T a = (T)seed, b = (T)(seed * 0x9e3779b97f4a7c15ull >> 7), s = (T)(seed & 7);
    h.add((T)((unsigned long long)a + b));
    h.add((T)((unsigned long long)a * b));
    h.add((T)(b / (T)(s + 1)));
    h.add((T)(b % (T)(s + 1)));
    h.add((T)(b >> s));
    h.add((T)(a ^ b & ~s));
    h.add(a < b);
    h.add((float)a);
    h.add((double)b);
}

template <class T> BOTH void floats(Hash& h, T x, T y)
{
    T values[] = {x + y, x - y, x / (y + 2), x - (T)1e-30, -y, x > y ? x : y};
    for (T v : values) h.add(v);
    h.add((long long)(x * 1000));
    h.add((int)y);
    h.add((float)x);
    h.add((double)y);
    h.add((T)(unsigned)(x < 0 ? -x : x));
}

template <class T> BOTH void objects(Hash& h, int n)
{
    Complex<T> z, c((T)(n % 5) / 4, (T)0.25);
    for (int i = 0; i < 3; i++) {
        Complex<T> next = z * z;
        next += c;
        z = next;
        h.add(z.re > 1e6 ? (T)0 : z.re);
    }
    Poly<T, 4> p{{1, 2, 3, 4}};
    h.add(p((T)n));
    h.add(Power<13>::of((T)(n % 3)));
    Scaled<3> three(n);
    const Base& base = three;
    h.add(base.value(n));
    int count = 0;
    each([&count, n](auto v) { count += (int)(v * 2) + n; }, 1, 2.5f, 'a', (T)4);
    h.add(count);
    h.add(total(n, 1.5, (short)3, 'x', 4ull));
    int (*f)(int, int) = ack<int>;
    h.add(f(2, n % 4));
    auto make = [=](auto k) { return [=](int x) { return x * n + (int)k; }; };
    h.add(make(2.75)(7));
}

BOTH unsigned long long everything(int n)
{
    Hash h;
    integers<signed char>(h, n * 77);
    integers<unsigned short>(h, n * 7777);
    integers<int>(h, n * 77777LL);
    integers<unsigned>(h, n * 777777LL);
    integers<long long>(h, n * 777777777777LL);
    integers<unsigned long long>(h, n * 7777777777777LL);
    floats<float>(h, n * 1.37f, n * -0.11f);
    floats<double>(h, n * 1.37, n * -0.11);
    objects<float>(h, n);
    objects<double>(h, n);
    return h.h;
}

__global__ void on_device(unsigned long long* out) { out[threadIdx.x] = everything(threadIdx.x); }

int main()
{
    const int n = 64;
    unsigned long long *out, joined = 0;
    cudaMallocManaged(&out, n * sizeof *out);
    on_device<<<1, n>>>(out);
    cudaDeviceSynchronize();
    int different = 0;
    for (int i = 0; i < n; i++) {
        if (out[i] != everything(i)) different++;
        joined = joined * 31 + out[i];
    }
    printf("%d different, %s\n", different, joined != 0 ? "something computed" : "nothing computed");
    cudaFree(out);
    return different;
}
