// `new` in every form inside templates, whose instances tell less of it.
#include <cstdio>
#include <new>

template <class T> struct Vec {
    T *p;
    int n;
    __host__ __device__ Vec(int n) : p(new T[n]), n(n) {
        for (int i = 0; i < n; i++) p[i] = T(i);
    }
    __host__ __device__ ~Vec() { delete[] p; }
    __host__ __device__ T *grow(int by) {
        T *q = new T[n + by](), *one = new T(41), *none = new T();
        for (int i = 0; i < n; i++) q[i] = p[i];
        q[n + by - 1] = *one + 1 + *none;
        delete one;
        delete none;
        delete[] p;
        n += by;
        return p = q;
    }
};

template <class T> T *place(void *at, int n) { return new (at) T[n]; }
template <class T> T *place_one(void *at, T v) { return new (at) T(v); }
template <class T> int chosen(bool b, int n) {
    T *p = b ? new T[n] : new T;
    p[b ? n - 1 : 0] = 5;
    int r = p[b ? n - 1 : 0];
    if (b) delete[] p;
    else delete p;
    return r;
}
template <class T> struct Pair { T a, b; };
template <class T> Pair<T> *pairs(int n) { return new Pair<T>[n]; }
template <class T> Pair<T> *pair(T a, T b) { return new Pair<T>{a, b}; }

__global__ void k(int *out) {
    Vec<int> v(5);
    v.grow(4);
    out[0] = v.p[4] * 100 + v.p[8];
}

int main() {
    Vec<double> v(6);
    v.grow(2);
    printf("%g %g %g\n", v.p[5], v.p[6], v.p[7]);
    alignas(16) char room[64];
    int *a = place<int>(room, 4);
    a[3] = 9;
    long *b = place_one<long>(room + 32, 7);
    printf("%d %ld %d %d\n", a[3], *b, chosen<int>(true, 8), chosen<int>(false, 8));
    Pair<int> *many = pairs<int>(3), *one = pair(3, 4);
    many[2].b = 6;
    printf("%d %d\n", many[2].b, one->a * one->b);
    delete[] many;
    delete one;
    int *out;
    cudaMallocManaged(&out, sizeof(int));
    k<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    cudaFree(out);
}
