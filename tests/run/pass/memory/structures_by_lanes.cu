// Structures of every size and alignment, copied by all threads at once: as one, in strides, and within an object.
#include <cstdio>

template <int N> struct Bytes { unsigned char b[N]; };
struct Pair { unsigned short a, b, c; };
struct Words { unsigned r, g, b; };

template <class T> __global__ void forwards(T *to, const T *from, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) to[i] = from[i];
}

template <class T> __global__ void backwards(T *to, const T *from, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % 3 != 1) to[n - 1 - i] = from[i];
}

template <class T> __global__ void within(T *all, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) all[n / 2 + i] = all[i];
}

template <class T> unsigned sum(const T *p, int n) {
    unsigned s = 0;
    const unsigned char *b = (const unsigned char *)p;
    for (size_t i = 0; i < n * sizeof(T); i++) s = s * 31 + b[i];
    return s;
}

template <class T> void test(const char *name) {
    const int n = 300;
    static T host[n], back[n];
    unsigned char *b = (unsigned char *)host;
    for (size_t i = 0; i < sizeof host; i++) b[i] = (unsigned char)(i * 7 + i / 251);
    T *from, *to;
    cudaMalloc(&from, sizeof host);
    cudaMalloc(&to, sizeof host);
    cudaMemcpy(from, host, sizeof host, cudaMemcpyHostToDevice);
    forwards<<<2, 96>>>(to, from, n);
    cudaMemcpy(back, to, sizeof host, cudaMemcpyDeviceToHost);
    bool same = true;
    for (int i = 0; i < n; i++) same = same && sum(host + i, 1) == sum(back + i, 1);
    backwards<<<3, 128>>>(to, from, n);
    within<<<3, 128>>>(from, n);
    cudaMemcpy(back, to, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        int source = i % 3 != 1 ? i : n - 1 - i;
        same = same && sum(back + n - 1 - i, 1) == sum(host + source, 1);
    }
    cudaMemcpy(back, from, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n / 2; i++) same = same && sum(back + n / 2 + i, 1) == sum(host + i, 1);
    printf("%-10s %2d bytes, aligned to %d: %s\n", name, (int)sizeof(T), (int)alignof(T), same ? "good" : "bad");
    cudaFree(from);
    cudaFree(to);
}

int main() {
    test<Bytes<3>>("Bytes<3>");
    test<Bytes<4>>("Bytes<4>");
    test<Bytes<7>>("Bytes<7>");
    test<Bytes<16>>("Bytes<16>");
    test<Bytes<70>>("Bytes<70>");
    test<Pair>("Pair");
    test<Words>("Words");
    test<double2>("double2");
    test<float4>("float4");
    return cudaDeviceSynchronize();
}
