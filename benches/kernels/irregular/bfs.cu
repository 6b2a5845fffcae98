// Breadth-first search, a launch a level: the frontier is a queue, `atomicCAS` takes a vertex and `atomicAdd` a place.
#include <cuda_runtime.h>
#include "inputs.h"

__global__ void bfs(const int *row, const int *col, int *level, const int *from, int size, int *to, int *count, int depth)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < size) {
        int v = from[i];
        for (int k = row[v]; k < row[v + 1]; k++) {
            int w = col[k];
            if (atomicCAS(&level[w], -1, depth) == -1)
                to[atomicAdd(count, 1)] = w;
        }
    }
}

int main(void)
{
    struct csr m = csr_random(BFS_VERTICES, BFS_MOST);
    int *level = (int *)malloc(m.n * sizeof(int)), start = 0, zero = 0;
    int *row, *col, *dlevel, *from, *to, *count;
    cudaMalloc(&row, (m.n + 1) * sizeof(int));
    cudaMalloc(&col, m.nnz * sizeof(int));
    cudaMalloc(&dlevel, m.n * sizeof(int));
    cudaMalloc(&from, m.n * sizeof(int));
    cudaMalloc(&to, m.n * sizeof(int));
    cudaMalloc(&count, sizeof(int));
    cudaMemcpy(row, m.row, (m.n + 1) * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(col, m.col, m.nnz * sizeof(int), cudaMemcpyHostToDevice);
    BENCH {
        cudaMemset(dlevel, 0xff, m.n * sizeof(int));
        cudaMemcpy(dlevel, &zero, sizeof zero, cudaMemcpyHostToDevice);
        cudaMemcpy(from, &start, sizeof start, cudaMemcpyHostToDevice);
        bench_begin();
        for (int size = 1, depth = 1; size > 0; depth++) {
            cudaMemcpy(count, &zero, sizeof zero, cudaMemcpyHostToDevice);
            bfs<<<(size + 255) / 256, 256>>>(row, col, dlevel, from, size, to, count, depth);
            cudaMemcpy(&size, count, sizeof size, cudaMemcpyDeviceToHost);
            int *t = from;
            from = to;
            to = t;
        }
        bench_end();
    }
    cudaMemcpy(level, dlevel, m.n * sizeof(int), cudaMemcpyDeviceToHost);
    print_ints("bfs", level, m.n);
    cudaFree(row);
    cudaFree(col);
    cudaFree(dlevel);
    cudaFree(from);
    cudaFree(to);
    cudaFree(count);
    free(level);
    csr_free(&m);
    return 0;
}
