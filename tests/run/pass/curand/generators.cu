// cuRAND's device generators. Philox against the published answers of its authors; XORWOW's jumps against single steps
// and a matrix power computed elsewhere; what is drawn lies where it should.
#include <cstdio>
#include <curand_kernel.h>

__global__ void philox() {
    uint4 a = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
    uint4 b = curand_Philox4x32_10(make_uint4(~0u, ~0u, ~0u, ~0u), make_uint2(~0u, ~0u));
    uint4 c = curand_Philox4x32_10(make_uint4(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344),
                                   make_uint2(0xa4093822, 0x299f31d0));
    printf("%08x %08x %08x %08x\n", a.x, a.y, a.z, a.w);
    printf("%08x %08x %08x %08x\n", b.x, b.y, b.z, b.w);
    printf("%08x %08x %08x %08x\n", c.x, c.y, c.z, c.w);
    curandStatePhilox4_32_10_t s, t;
    curand_init(0, 0, 0, &s);
    curand_init(0, 0, 5, &t);
    for (int i = 0; i < 5; i++)
        printf("%08x ", curand(&s));
    uint4 d = curand4(&t);
    printf("%d %d %d %d\n", curand(&s) == d.x, curand(&s) == d.y, curand(&s) == d.z, curand(&s) == d.w);
    printf("%08x %d\n", curand(&s), s.STATE == 2);
}

__global__ void xorwow() {
    curandState a, b;
    curand_init(1234, 0, 0, &a);
    printf("%08x %08x %08x %08x %08x %08x\n", a.d, a.v[0], a.v[1], a.v[2], a.v[3], a.v[4]);
    for (int i = 0; i < 100; i++)
        curand(&a);
    curand_init(1234, 0, 100, &b);
    unsigned x = curand(&a), y = curand(&b);
    printf("%08x %d %d\n", y, x != y, a.d == b.d && a.v[0] == b.v[0] && a.v[4] == b.v[4]);
    curand_init(1234, 1, 0, &b);
    printf("%08x %08x %08x %08x %08x %08x\n", b.d, b.v[0], b.v[1], b.v[2], b.v[3], b.v[4]);
    curand_init(42, 123456789ull, 987654321ull, &b);
    printf("%08x %08x %08x %08x %08x %08x\n", b.d, b.v[0], b.v[1], b.v[2], b.v[3], b.v[4]);
}

template <typename State> __global__ void moments(double* sums) {
    State s;
    curand_init(7, threadIdx.x, 0, &s);
    double u = 0, n = 0, square = 0, d = 0;
    bool inside = true;
    for (int i = 0; i < 500; i++) {
        float x = curand_uniform(&s);
        double y = curand_uniform_double(&s), z = curand_normal(&s), w = curand_normal_double(&s);
        inside = inside && x > 0 && x <= 1 && y > 0 && y <= 1;
        u += x + y, n += z + w, square += z * z + w * w, d += curand_log_normal(&s, 0, 1);
    }
    if (!inside)
        printf("outside\n");
    atomicAdd(sums, u), atomicAdd(sums + 1, n), atomicAdd(sums + 2, square), atomicAdd(sums + 3, d);
}

template <typename State> void run() {
    double* sums;
    cudaMallocManaged(&sums, 4 * sizeof(double));
    for (int i = 0; i < 4; i++)
        sums[i] = 0;
    moments<State><<<1, 64>>>(sums);
    cudaDeviceSynchronize();
    double n = 64 * 500 * 2;
    printf("%.2f %.1f %.1f %.1f\n", sums[0] / n, sums[1] / n + 1, sums[2] / n, sums[3] / n * 2);
    cudaFree(sums);
}

int main() {
    philox<<<1, 1>>>();
    xorwow<<<1, 1>>>();
    cudaDeviceSynchronize();
    run<curandState>();
    run<curandStatePhilox4_32_10_t>();
    return 0;
}
