// cuda::atomic, atomic_ref and fences: every operation on every width, on both sides; messages passed by release and
// acquire, whether by operations or by fences.
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <cstdio>

template <typename T> struct Cell {
    cuda::atomic<T, cuda::thread_scope_device> value;
};

template <typename T> __global__ void operations(T* plain, long long* out) {
    cuda::atomic_ref<T, cuda::thread_scope_block> a(*plain);
    int n = 0;
    out[n++] = a.load();
    a.store(T(20));
    out[n++] = a.exchange(T(30), cuda::memory_order_acq_rel);
    out[n++] = a.fetch_add(T(5));
    out[n++] = a.fetch_sub(T(10));
    out[n++] = a.fetch_and(T(27));
    out[n++] = a.fetch_or(T(4));
    out[n++] = a.fetch_xor(T(1));
    out[n++] = a.fetch_min(T(-3));
    out[n++] = a.fetch_max(T(7));
    out[n++] = ++a;
    out[n++] = a--;
    out[n++] = a += T(3);
    T expected = T(1);
    out[n++] = a.compare_exchange_strong(expected, T(50));
    out[n++] = expected;
    out[n++] = a.compare_exchange_weak(expected, T(50), cuda::memory_order_release, cuda::memory_order_relaxed);
    out[n++] = a;
}

template <typename T> void show(const char* name) {
    T* plain;
    long long* out;
    cudaMallocManaged(&plain, sizeof(T));
    cudaMallocManaged(&out, 16 * sizeof(long long));
    *plain = T(9);
    operations<T><<<1, 1>>>(plain, out);
    cudaDeviceSynchronize();
    printf("%s:", name);
    for (int i = 0; i < 16; i++)
        printf(" %lld", out[i]);
    printf("\n");
    cudaFree(plain);
    cudaFree(out);
}

__device__ int payload;
__device__ cuda::atomic<int, cuda::thread_scope_device> flag;
__device__ cuda::std::atomic<unsigned> systemWide;

__global__ void message(int* out, int fences) {
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        payload = 42 + fences;
        if (fences) {
            cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
            flag.store(1, cuda::memory_order_relaxed);
        } else {
            flag.store(1, cuda::memory_order_release);
        }
        flag.notify_all();
    } else if (fences) {
        while (flag.load(cuda::memory_order_relaxed) == 0) {
        }
        cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
        *out = payload;
        flag.store(0, cuda::memory_order_relaxed);
    } else {
        flag.wait(0, cuda::memory_order_acquire);
        *out = payload;
        flag.store(0, cuda::memory_order_relaxed);
    }
}

__global__ void counted(Cell<unsigned>* cell, double* most, float* sum) {
    cell->value.fetch_add(1, cuda::memory_order_relaxed);
    cuda::atomic_ref<double>(*most).fetch_max(threadIdx.x * 0.5);
    cuda::atomic_ref<float, cuda::thread_scope_device>(*sum).fetch_add(0.25f, cuda::std::memory_order_relaxed);
    systemWide++;
}

int main() {
    show<signed char>("signed char");
    show<unsigned char>("unsigned char");
    show<short>("short");
    show<unsigned short>("unsigned short");
    show<int>("int");
    show<unsigned>("unsigned");
    show<long long>("long long");
    show<unsigned long long>("unsigned long long");

    int* out;
    cudaMallocManaged(&out, sizeof(int));
    for (int fences = 0; fences < 2; fences++) {
        message<<<2, 32>>>(out, fences);
        cudaDeviceSynchronize();
        printf("%d\n", *out);
    }
    cudaFree(out);

    Cell<unsigned>* cell;
    double* most;
    float* sum;
    cudaMallocManaged(&cell, sizeof *cell);
    cudaMallocManaged(&most, sizeof *most);
    cudaMallocManaged(&sum, sizeof *sum);
    cell->value = 1;
    *most = *sum = 0;
    counted<<<4, 64>>>(cell, most, sum);
    cudaDeviceSynchronize();
    printf("%u %g %g\n", cell->value.load(), *most, *sum);
    cudaFree(cell);
    cudaFree(most);
    cudaFree(sum);

    // On the host.
    cuda::atomic<int> i{5};
    int expected = 4;
    bool first = i.compare_exchange_strong(expected, 9), second = i.compare_exchange_strong(expected, 9);
    printf("%d %d %d %d\n", first, second, expected, i.fetch_add(1));
    int numbers[4] = {1, 2, 3, 4};
    cuda::atomic<int*> p(numbers);
    p++;
    p += 2;
    printf("%d %d\n", *p.load(), (int)sizeof(cuda::atomic<char>));
    cuda::atomic_flag f(false);
    bool before = f.test_and_set();
    printf("%d %d\n", before, f.test());
    return 0;
}
