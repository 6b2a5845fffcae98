// The short vector types: layout, alignment, builders, copies, arrays, members by address.
#include <stdio.h>

struct Particle { float4 position; float3 velocity; int id; };

__global__ void step(Particle *p, float dt, float4 *sum) {
    int i = threadIdx.x;
    Particle mine = p[i];
    mine.position.x += mine.velocity.x * dt;
    mine.position.y += mine.velocity.y * dt;
    mine.position.z += mine.velocity.z * dt;
    mine.velocity = make_float3(-mine.velocity.x, mine.velocity.y, 0);
    p[i] = mine;
    float *w = &p[i].position.w;
    *w = (float)i;
    float4 *cell = reinterpret_cast<float4 *>(sum) + i;
    *cell = p[i].position;
}

__global__ void bytes(const uchar4 *in, uint2 *out) {
    uchar4 c = in[threadIdx.x];
    c.x ^= 0xff;
    out[threadIdx.x] = make_uint2(c.x + c.y * 256u, *(unsigned *)&c);
}

int main() {
    printf("%zu %zu %zu %zu %zu %zu\n", sizeof(float3), sizeof(float4), sizeof(double2), sizeof(char3),
           sizeof(longlong4), sizeof(Particle));
    printf("%zu %zu %zu %zu %zu\n", alignof(float3), alignof(float4), alignof(double4), alignof(uchar4),
           alignof(int2));
    Particle host[4], *dev;
    float4 sums[4], *dev_sums;
    for (int i = 0; i < 4; ++i) {
        host[i].position = make_float4(i, 2 * i, 3 * i, 9);
        host[i].velocity = make_float3(1, -1, 0.5f);
        host[i].id = i;
    }
    cudaMalloc(&dev, sizeof host);
    cudaMalloc(&dev_sums, sizeof sums);
    cudaMemcpy(dev, host, sizeof host, cudaMemcpyHostToDevice);
    step<<<1, 4>>>(dev, 0.5f, dev_sums);
    cudaMemcpy(host, dev, sizeof host, cudaMemcpyDeviceToHost);
    cudaMemcpy(sums, dev_sums, sizeof sums, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 4; i += 3)
        printf("%g %g %g %g | %g %g | %d | %g\n", host[i].position.x, host[i].position.y, host[i].position.z,
               host[i].position.w, host[i].velocity.x, host[i].velocity.z, host[i].id, sums[i].y);
    uchar4 colors[2] = {{1, 2, 3, 4}, {255, 0, 0, 128}}, *dev_colors;
    uint2 words[2], *dev_words;
    cudaMalloc(&dev_colors, sizeof colors);
    cudaMalloc(&dev_words, sizeof words);
    cudaMemcpy(dev_colors, colors, sizeof colors, cudaMemcpyHostToDevice);
    bytes<<<1, 2>>>(dev_colors, dev_words);
    cudaMemcpy(words, dev_words, sizeof words, cudaMemcpyDeviceToHost);
    printf("%u %08x %u %08x\n", words[0].x, words[0].y, words[1].x, words[1].y);
    cudaFree(dev);
    cudaFree(dev_sums);
    cudaFree(dev_colors);
    cudaFree(dev_words);
    return 0;
}
