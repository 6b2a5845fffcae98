// The compiler's atomic functions of CUDA 12.8: each operation on each of its types, orders and scopes.
#include <cstdio>

struct Pair { int a, b; };
struct alignas(16) Four { int a, b, c, d; };

template <class T> __device__ void whole(T *p) {
    T old = __nv_atomic_fetch_add(p, 5, __NV_ATOMIC_RELAXED);
    __nv_atomic_add(p, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    T less = __nv_atomic_fetch_sub(p, 2, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_sub(p, 1, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_CLUSTER);
    printf("%lld %lld %lld\n", (long long)old, (long long)less, (long long)*p);
}

template <class T> __device__ void bits(T *p) {
    *p = 12;
    printf("%lld ", (long long)__nv_atomic_fetch_and(p, 6, __NV_ATOMIC_RELAXED));
    printf("%lld ", (long long)__nv_atomic_fetch_or(p, 3, __NV_ATOMIC_ACQUIRE));
    printf("%lld ", (long long)__nv_atomic_fetch_xor(p, 5, __NV_ATOMIC_CONSUME));
    __nv_atomic_and(p, 0xe, __NV_ATOMIC_RELAXED);
    __nv_atomic_or(p, 0x30, __NV_ATOMIC_RELAXED);
    __nv_atomic_xor(p, 0x11, __NV_ATOMIC_RELAXED);
    printf("%lld ", (long long)__nv_atomic_fetch_min(p, (T)-1, __NV_ATOMIC_RELAXED));
    printf("%lld ", (long long)__nv_atomic_fetch_max(p, 7, __NV_ATOMIC_RELAXED));
    __nv_atomic_min(p, 9, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_THREAD);
    __nv_atomic_max(p, 8, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
    printf("%lld\n", (long long)*p);
}

template <class T> __device__ bool exchange(T *p, T first, T second, T third) {
    __nv_atomic_store(p, &first, __NV_ATOMIC_RELEASE);
    T seen, old;
    __nv_atomic_load(p, &seen, __NV_ATOMIC_ACQUIRE);
    __nv_atomic_exchange(p, &second, &old, __NV_ATOMIC_ACQ_REL);
    bool no = __nv_atomic_compare_exchange(p, &seen, &third, true, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED);
    bool yes = __nv_atomic_compare_exchange(p, &seen, &third, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
    return !no && yes;
}

template <class T> __device__ void plain(T *p) {
    __nv_atomic_store_n(p, (T)3, __NV_ATOMIC_SEQ_CST);
    T a = __nv_atomic_load_n(p, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE), b = 0;
    bool no = __nv_atomic_compare_exchange_n(p, &b, (T)9, false, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_ACQUIRE);
    bool yes = __nv_atomic_compare_exchange_n(p, &b, (T)9, false, __NV_ATOMIC_RELEASE, __NV_ATOMIC_RELAXED);
    printf("%lld %lld %d%d %lld\n", (long long)a, (long long)b, no, yes, (long long)*p);
}

__global__ void operations(unsigned long long *room) {
    int *i = (int *)room;
    float *f = (float *)room;
    double *d = (double *)room;
    whole((int *)room);
    whole((unsigned *)room);
    *room = 100;
    whole(room);
    *f = 1;
    float g = __nv_atomic_fetch_add(f, 0.5f, __NV_ATOMIC_RELAXED);
    __nv_atomic_sub(f, 0.25f, __NV_ATOMIC_RELAXED);
    printf("%g %g\n", g, *f);
    *d = 1;
    double e = __nv_atomic_fetch_sub(d, 0.5, __NV_ATOMIC_RELAXED);
    __nv_atomic_add(d, 0.25, __NV_ATOMIC_RELAXED);
    printf("%g %g\n", e, *d);
    *room = 0;
    bits(i);
    bits((unsigned *)room);
    bits(room);
    bits((long long *)room);
    Pair one = {1, 2}, two = {3, 4}, three = {5, 6};
    bool pair = exchange((Pair *)room, one, two, two);
    printf("%d %d\n", pair, exchange(f, 1.0f, 2.0f, 3.0f));
    bool again = __nv_atomic_compare_exchange((Pair *)room, &two, &three, false, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
    printf("%d\n", again);
    Four a = {1, 2, 3, 4}, b = {5, 6, 7, 8}, c;
    __nv_atomic_store((Four *)room, &a, __NV_ATOMIC_RELAXED);
    __nv_atomic_exchange((Four *)room, &b, &c, __NV_ATOMIC_RELAXED);
    __nv_atomic_load((Four *)room, &a, __NV_ATOMIC_RELAXED);
    printf("%d %d %d %d\n", c.a, c.d, a.a, a.d);
    plain((unsigned char *)room + 0 * 8);
    plain((short *)room);
    plain(i);
    plain((long *)room);
    printf("%lld\n", (long long)__nv_atomic_exchange_n(i, 4, __NV_ATOMIC_RELAXED));
}

// Blocks hand a value on: what the flag releases is there for who acquires it.
__global__ void hand_on(int *data, int *flag) {
    if (blockIdx.x == 0) {
        *data = 42;
        __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    } else {
        while (!__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE)) {}
        *data += 1;
    }
    __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_SYSTEM);
}

int main() {
    unsigned long long *room;
    cudaMalloc(&room, 32);
    cudaMemset(room, 0, 32);
    operations<<<1, 1>>>(room);
    cudaMemset(room, 0, 32);
    hand_on<<<2, 1>>>((int *)room, (int *)room + 1);
    int h;
    cudaMemcpy(&h, room, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %s\n", h, cudaGetErrorName(cudaGetLastError()));
    cudaFree(room);
}
