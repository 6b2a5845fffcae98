// Pipelines: a thread's own, a block's with stages, one whose warps have roles, and copies in C's style.
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda_pipeline.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void own(const float4* in, float4* out, int n) {
    __shared__ float4 stage[2][64];
    auto pipe = cuda::make_pipeline();
    int t = threadIdx.x;
    pipe.producer_acquire();
    cuda::memcpy_async(&stage[0][t], &in[t], cuda::aligned_size_t<alignof(float4)>(sizeof(float4)), pipe);
    pipe.producer_commit();
    for (int i = 0; i < n; i++) {
        if (i + 1 < n) {
            pipe.producer_acquire();
            cuda::memcpy_async(&stage[(i + 1) % 2][t], &in[64 * (i + 1) + t], sizeof(float4), pipe);
            pipe.producer_commit();
            cuda::pipeline_consumer_wait_prior<1>(pipe);
        } else {
            cuda::pipeline_consumer_wait_prior<0>(pipe);
        }
        __syncthreads();
        float4 v = stage[i % 2][63 - t];
        out[64 * i + t] = make_float4(v.w, v.z, v.y, v.x);
        pipe.consumer_release();
        __syncthreads();
    }
}

template <int Stages> __global__ void staged(const int* in, int* out, int n) {
    __shared__ int stage[Stages][64];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
    auto block = cg::this_thread_block();
    auto pipe = cuda::make_pipeline(block, &state);
    for (int next = 0, i = 0; i < n; i++) {
        for (; next < n && next < i + Stages; next++) {
            pipe.producer_acquire();
            cuda::memcpy_async(block, stage[next % Stages], in + 64 * next, 64 * sizeof(int), pipe);
            pipe.producer_commit();
        }
        pipe.consumer_wait();
        out[64 * i + threadIdx.x] = stage[i % Stages][63 - threadIdx.x];
        pipe.consumer_release();
    }
}

/* The first warp fills, the others empty. */
__global__ void roles(const int* in, int* out, int n) {
    __shared__ int stage[2][96];
    __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
    auto block = cg::this_thread_block();
    bool producer = threadIdx.x < 32;
    auto pipe = cuda::make_pipeline(block, &state, producer ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
    for (int i = 0; i < n; i++) {
        if (producer) {
            pipe.producer_acquire();
            for (int k = threadIdx.x; k < 96; k += 32)
                cuda::memcpy_async(&stage[i % 2][k], &in[96 * i + k], sizeof(int), pipe);
            pipe.producer_commit();
        } else {
            pipe.consumer_wait();
            out[96 * i + threadIdx.x - 32] = stage[i % 2][95 - (threadIdx.x - 32)] + i;
            pipe.consumer_release();
        }
    }
}

__global__ void plain(const int4* in, int4* out) {
    __shared__ int4 stage[32];
    __pipeline_memcpy_async(&stage[threadIdx.x], &in[threadIdx.x], sizeof(int4));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    __pipeline_memcpy_async(&stage[31 - threadIdx.x], &in[threadIdx.x], 16, 8);
    __pipeline_commit();
    __pipeline_wait_prior(0);
    out[threadIdx.x] = stage[31 - threadIdx.x];
}

int main() {
    int *in, *out;
    cudaMallocManaged(&in, 4096 * sizeof(int));
    cudaMallocManaged(&out, 4096 * sizeof(int));
    float *f = (float*)in, *g = (float*)out;
    for (int i = 0; i < 1024; i++)
        f[i] = i;
    own<<<1, 64>>>((float4*)f, (float4*)g, 4);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", g[0], g[5], g[1023]);
    for (int i = 0; i < 4096; i++)
        in[i] = i;
    staged<3><<<1, 64>>>(in, out, 8);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[65], out[511]);
    staged<1><<<1, 64>>>(in, out, 8);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[65], out[511]);
    roles<<<1, 128>>>(in, out, 6);
    cudaDeviceSynchronize();
    printf("%d %d %d\n", out[0], out[97], out[575]);
    plain<<<1, 32>>>((int4*)in, (int4*)out);
    cudaDeviceSynchronize();
    printf("%d %d %d %d\n", out[0], out[1], out[2], out[126]);
    cudaFree(in);
    cudaFree(out);
    return 0;
}
