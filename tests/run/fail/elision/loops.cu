// Loops in which each thread writes to several places. How often they go on is told by bounds of the launch, so that a
// counter is bounded and the places of threads are apart, or are not.
// revisions: apart turn wide narrow triangle leaves step
#include <stdio.h>

#define TILES 16
#define N (32 * TILES)
#define THREADS (1 << 15)

#if defined REV_wide
#define ROWS 16
#define COLUMNS 2
#else
#define ROWS 8
#define COLUMNS 16
#endif
#if defined REV_turn
#define TURNS 40
#else
#define TURNS 32
#endif
#if defined REV_narrow
#define LENGTH (N - 1)
#else
#define LENGTH N
#endif

__global__ void rows(int *out, int length, int step) {
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    // At both ends of a row, so that there are not too many races to compare them all.
    if (((x + COLUMNS / 2) & (N - 1)) >= COLUMNS)
        return;
    for (int j = 0; j < TURNS; j += 8) {
#ifdef REV_leaves
        if (out[(y + j) * length + x] < 0) break;
#endif
        out[(y + j) * length + x] = x; //[turn]~ WARNING global-race
        //[wide]~^ WARNING global-race
        //[narrow]~^^ ERROR global-race
    }
}

// A row for each thread, of which each turn of the outer loop writes one place more.
__global__ void triangle(int *out, int most) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    for (int i = 0; i < most; i++)
        for (int j = 0; j <= i; j++)
            out[t * 4 + j] = i;
}

// A counter of eight bits goes around behind the third turn.
__global__ void around(int *out) {
    int t = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned char at = 0;
    for (int j = 0; j < 4; j++, at += 100)
        out[t * 201 + at] = j;
#ifdef REV_step
    for (int j = 0; j < 4; j++, at += 100)
        out[t * 200 + at] = j; //[step]~ ERROR global-race
#endif
}

int main() {
    int *out, *wrapped;
    cudaMalloc(&out, (N + 8) * N * sizeof(int));
    cudaMemset(out, 0, (N + 8) * N * sizeof(int));
    rows<<<dim3(TILES, TILES), dim3(32, ROWS)>>>(out, LENGTH, 8);
    cudaDeviceSynchronize();
#ifdef REV_triangle
    triangle<<<N * N / 4 / 256, 256>>>(out, 4);
#endif
    cudaDeviceSynchronize();
    cudaMalloc(&wrapped, 201 * THREADS * sizeof(int));
    around<<<THREADS / 256, 256>>>(wrapped);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
    cudaFree(wrapped);
    cudaFree(out);
    return 0;
}
