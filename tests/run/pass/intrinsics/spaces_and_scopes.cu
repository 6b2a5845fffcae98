// Where an address lies, atomics of every scope, cached loads and stores, reductions of a warp, counted barriers.
#include <cstdio>

__constant__ int constant_word = 7;
__device__ int global_word = 5;

__device__ void where(const char* name, const void* p) {
    printf("%-8s global %d shared %d constant %d local %d\n", name, __isGlobal(p) != 0, __isShared(p) != 0,
           __isConstant(p) != 0, __isLocal(p) != 0);
}
__global__ void spaces() {
    __shared__ int shared_word;
    int local_word = 3;
    shared_word = 11;
    where("global", &global_word);
    where("shared", &shared_word);
    where("constant", &constant_word);
    where("local", &local_word);
    int* g = (int*)__cvta_global_to_generic(__cvta_generic_to_global(&global_word));
    int* s = (int*)__cvta_shared_to_generic(__cvta_generic_to_shared(&shared_word));
    int* l = (int*)__cvta_local_to_generic(__cvta_generic_to_local(&local_word));
    const int* c = (const int*)__cvta_constant_to_generic(__cvta_generic_to_constant(&constant_word));
    printf("%d %d %d %d\n", *g, *s, *l, *c);
}

// Every thread once; the result does not depend on their order.
#define SCOPES(F, op, slot, v)                                                                         \
    F(op, , slot, v)                                                                                   \
    F(op, _block, (slot) + 1, v)                                                                       \
    F(op, _system, (slot) + 2, v)
template <typename T> __global__ void numbers(T* r) {
    T t = (T)(threadIdx.x + 1);
#define CALL(op, scope, slot, v) op##scope(&r[slot], (T)(v));
    SCOPES(CALL, atomicAdd, 0, t)
    SCOPES(CALL, atomicMin, 3, t)
    SCOPES(CALL, atomicMax, 6, t)
    SCOPES(CALL, atomicAnd, 9, ~(T)0 ^ (T)1 << threadIdx.x % 31)
    SCOPES(CALL, atomicOr, 12, (T)1 << threadIdx.x % 31)
    SCOPES(CALL, atomicXor, 15, t)
    SCOPES(CALL, atomicExch, 18, 77)
#undef CALL
    // One thread only: the first wins.
    if (threadIdx.x == 9) {
        atomicCAS(&r[21], (T)1000, (T)1);
        atomicCAS_block(&r[22], (T)1000, (T)2);
        atomicCAS_system(&r[23], (T)999, (T)3);
    }
}
__global__ void others(unsigned int* u, int* i, float* f, double* d, unsigned long long* l) {
#define CALL(op, scope, slot, v) op##scope(&u[slot], v);
    SCOPES(CALL, atomicInc, 0, 9u)
    SCOPES(CALL, atomicDec, 3, 9u)
#undef CALL
#define CALL(op, scope, slot, v) op##scope(&i[slot], v);
    SCOPES(CALL, atomicSub, 0, 2)
#undef CALL
#define CALL(op, scope, slot, v) op##scope(&f[slot], v);
    SCOPES(CALL, atomicAdd, 0, 0.5f)
    SCOPES(CALL, atomicExch, 3, 2.5f)
#undef CALL
#define CALL(op, scope, slot, v) op##scope(&d[slot], v);
    SCOPES(CALL, atomicAdd, 0, 0.25)
#undef CALL
    atomicSub(&u[6], 3u), atomicSub_block(&u[7], 3u), atomicSub_system(&u[8], 3u);
    atomicAdd(&l[0], 1ull << 40), atomicAdd_block(&l[1], 1ull << 40), atomicAdd_system(&l[2], 1ull << 40);
    if (threadIdx.x == 0) {
        unsigned short* h = (unsigned short*)(l + 3);
        unsigned short first = atomicCAS(h, (unsigned short)0, (unsigned short)0xabcd);
        unsigned short second = atomicCAS(h, (unsigned short)1, (unsigned short)2);
        printf("%u %u\n", first, second);
    }
}

__global__ void cached(int* p, const int* q, float4* wide) {
    int t = threadIdx.x;
    int sum = __ldg(q + t) + __ldcg(q + t) + __ldca(q + t) + __ldcs(q + t) + __ldlu(q + t) + __ldcv(q + t);
    switch (t % 4) {
    case 0: __stwb(p + t, sum); break;
    case 1: __stcg(p + t, sum); break;
    case 2: __stcs(p + t, sum); break;
    default: __stwt(p + t, sum);
    }
    float4 v = __ldcg(wide + t);
    v.w += v.x;
    __stcs(wide + t, v);
}

__global__ void warps(unsigned int* out) {
    unsigned int t = threadIdx.x, mask = t < 20 ? 0x000fffffu : 0xfff00000u;
    unsigned int v = t * 2654435761u;
    unsigned int* r = out + t * 8;
    if (t < 20) {
        r[0] = __reduce_and_sync(mask, v | 0xff), r[1] = __reduce_or_sync(mask, v & 0xff00);
        r[2] = __reduce_xor_sync(mask, v), r[3] = __reduce_add_sync(mask, v), r[4] = __reduce_min_sync(mask, v);
        r[5] = __reduce_max_sync(mask, v), r[6] = (unsigned int)__reduce_min_sync(mask, (int)v);
        r[7] = (unsigned int)__reduce_max_sync(mask, (int)v);
    } else {
        r[0] = __reduce_and_sync(mask, v | 0xf0), r[1] = __reduce_or_sync(mask, v & 0x0f00);
        r[2] = __reduce_xor_sync(mask, v), r[3] = (unsigned int)__reduce_add_sync(mask, (int)v);
        r[4] = __any_sync(mask, t == 31), r[5] = __all_sync(mask, t > 20), r[6] = __ballot_sync(mask, t & 1);
        r[7] = __uni_sync(mask, t > 3);
    }
}

// Two halves of a block meet at barriers of their own.
__global__ void barriers(int* out) {
    __shared__ int half[2];
    int which = threadIdx.x / 64;
    if (threadIdx.x % 64 == 63)
        half[which] = which * 10 + 1;
    __barrier_sync_count(which + 1, 64);
    out[threadIdx.x] = half[which];
    __barrier_sync(0);
    out[threadIdx.x] += half[1 - which];
}

template <typename T> void integers(const char* type, T* r) {
    for (int i = 0; i < 24; i++)
        r[i] = (T)(i < 3 ? 0 : i < 9 ? 40 : i < 12 ? ~(T)0 : i < 18 ? 0 : 1000);
    numbers<<<1, 64>>>(r);
    cudaDeviceSynchronize();
    printf("%s:", type);
    for (int i = 0; i < 24; i++)
        printf("%s%lld", i % 12 == 0 ? "\n  " : " ", (long long)r[i]);
    printf("\n");
}

int main() {
    spaces<<<1, 1>>>();
    cudaDeviceSynchronize();
    void* memory;
    cudaMallocManaged(&memory, 8192);
    integers("int", (int*)memory);
    integers("unsigned int", (unsigned int*)memory);
    integers("unsigned long long", (unsigned long long*)memory);
    char* base = (char*)memory;
    memset(base, 0, 1024);
    unsigned int* u = (unsigned int*)base;
    int* i = (int*)(base + 128);
    float* f = (float*)(base + 256);
    double* d = (double*)(base + 384);
    unsigned long long* l = (unsigned long long*)(base + 512);
    others<<<1, 64>>>(u, i, f, d, l);
    cudaDeviceSynchronize();
    printf("%u %u %u %u %u %u %d %d %d\n", u[0], u[1], u[2], u[3], u[4], u[5], (int)u[6], (int)u[7], (int)u[8]);
    printf("%d %d %d %g %g %g %g %g %g %g %g %g\n", i[0], i[1], i[2], f[0], f[1], f[2], f[3], f[4], f[5], d[0], d[1], d[2]);
    printf("%llx %llx %llx %llx\n", l[0], l[1], l[2], l[3]);
    int *p = (int*)(base + 1024), *q = (int*)(base + 2048);
    float4* wide = (float4*)(base + 4096);
    for (int k = 0; k < 32; k++)
        q[k] = k, wide[k] = make_float4(k, 0, 0, 1);
    cached<<<1, 32>>>(p, q, wide);
    cudaDeviceSynchronize();
    printf("%d %d %d %d %g\n", p[0], p[1], p[30], p[31], wide[31].w);
    warps<<<1, 32>>>(u);
    cudaDeviceSynchronize();
    for (int k = 0; k < 16; k++)
        printf("%08x%c", u[k < 8 ? k : 24 * 8 + k - 8], k % 8 == 7 ? '\n' : ' ');
    barriers<<<1, 128>>>(p);
    cudaDeviceSynchronize();
    printf("%d %d\n", p[0], p[127]);
    cudaFree(memory);
}
