// What a launch of machine code on several threads leaves unwritten is found later; where one of them gives up, the bytecode
// runs the launch, and tells of it what it would on one core.
// revisions: uninit uninit1 bounds bounds1 overflow overflow1
// run-flags: --engine jit
//[uninit] run-flags: --jobs 2
//[bounds] run-flags: --jobs 2
//[overflow] run-flags: --jobs 2
//[uninit1] run-flags: --jobs 1
//[bounds1] run-flags: --jobs 1
//[overflow1] run-flags: --jobs 1
#include <cstdio>

const int WIDTH = 1003, HEIGHT = 300;

__global__ void rows(short *out, const int *in, int rounds) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
#if defined(REV_uninit) || defined(REV_uninit1)
    if (x == 501 && y == 250) return;
#elif defined(REV_bounds) || defined(REV_bounds1)
    if (y == HEIGHT - 1 && x >= WIDTH - 1 && x < WIDTH + 1) {
        out[y * WIDTH + x] = 7;
        //[bounds]~^ ERROR out-of-bounds
        //[bounds1]~^^ ERROR out-of-bounds
        return;
    }
#endif
    if (x < WIDTH && y < HEIGHT) {
        unsigned v = in[y * WIDTH + x];
        for (int i = 0; i < rounds; i++) v = v * 5u + 1u;
#if defined(REV_overflow) || defined(REV_overflow1)
        int w = in[y * WIDTH + x] * (y == 298 && x == 1000 ? 1 << 30 : 1);
        //[overflow]~^ WARNING undefined-behavior
        //[overflow1]~^^ WARNING undefined-behavior
        v += w;
#endif
        out[y * WIDTH + x] = short(v % 101u);
    }
}

#if defined(REV_uninit) || defined(REV_uninit1)
__global__ void total(int *out, const short *in) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < WIDTH * HEIGHT) atomicAdd(out, in[i]);
    //[uninit]~^ ERROR uninitialized-read
    //[uninit1]~^^ ERROR uninitialized-read
}
#endif

int main() {
    int *in, *sum, *host = new int[WIDTH * HEIGHT];
    short *out;
    for (int i = 0; i < WIDTH * HEIGHT; i++) host[i] = i % 1000 + 2;
    cudaMalloc(&in, WIDTH * HEIGHT * sizeof(int));
    cudaMalloc(&out, WIDTH * HEIGHT * sizeof(short));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(sum, 0, sizeof(int));
    cudaMemcpy(in, host, WIDTH * HEIGHT * sizeof(int), cudaMemcpyHostToDevice);
    rows<<<dim3((WIDTH + 127) / 128, HEIGHT), 128>>>(out, in, 40);
#if defined(REV_uninit) || defined(REV_uninit1)
    total<<<(WIDTH * HEIGHT + 255) / 256, 256>>>(sum, out);
#endif
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    cudaFree(sum);
    delete[] host;
}
