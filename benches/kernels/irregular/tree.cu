// Look-ups in a binary search tree: a thread walks from the root to the key that it wants, or to where it would be.
#include <cuda_runtime.h>
#include "inputs.h"

__global__ void tree(const int *key, const int *left, const int *right, const int *wanted, int *depth, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int want = wanted[i], at = 0, steps = 0;
        while (at >= 0 && key[at] != want) {
            at = want < key[at] ? left[at] : right[at];
            steps++;
        }
        depth[i] = at < 0 ? -steps : steps;
    }
}

int main(void)
{
    int n = TREE_LOOKUPS, *w, *depths = (int *)malloc(n * sizeof(int));
    struct tree t = tree_random(TREE_NODES);
    w = tree_wanted(n);
    int *key, *left, *right, *wanted, *depth;
    cudaMalloc(&key, TREE_NODES * sizeof(int));
    cudaMalloc(&left, TREE_NODES * sizeof(int));
    cudaMalloc(&right, TREE_NODES * sizeof(int));
    cudaMalloc(&wanted, n * sizeof(int));
    cudaMalloc(&depth, n * sizeof(int));
    cudaMemcpy(key, t.key, TREE_NODES * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(left, t.left, TREE_NODES * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(right, t.right, TREE_NODES * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(wanted, w, n * sizeof(int), cudaMemcpyHostToDevice);
    BENCH {
        bench_begin();
        tree<<<n / 256, 256>>>(key, left, right, wanted, depth, n);
        cudaDeviceSynchronize();
        bench_end();
    }
    cudaMemcpy(depths, depth, n * sizeof(int), cudaMemcpyDeviceToHost);
    print_ints("tree", depths, n);
    cudaFree(key);
    cudaFree(left);
    cudaFree(right);
    cudaFree(wanted);
    cudaFree(depth);
    free(t.key);
    free(t.left);
    free(t.right);
    free(w);
    free(depths);
    return 0;
}
