// Launches with clusters: which are taken, which are refused and with what error; attributes of kernels; occupancy.
#include <cstdio>

__device__ int blocks;
__device__ int shape;

__global__ void every() {
    int x, y, z;
    asm volatile("mov.u32 %0, %%cluster_nctaid.x; mov.u32 %1, %%cluster_nctaid.y; mov.u32 %2, %%cluster_nctaid.z;"
                 : "=r"(x), "=r"(y), "=r"(z));
    if (threadIdx.x == 0) {
        atomicAdd(&blocks, 1);
        atomicExch(&shape, 100 * x + 10 * y + z);
    }
}
__global__ void __cluster_dims__(2, 2, 1) fixed() {}
__global__ void __launch_bounds__(64, 1, 4) bounded() {}
__global__ void later() {}

cudaError_t launch(void (*kernel)(), dim3 grid, dim3 cluster, dim3 preferred = dim3(0, 0, 0)) {
    cudaLaunchConfig_t config = {};
    config.gridDim = grid;
    config.blockDim = 32;
    cudaLaunchAttribute attributes[2];
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim = {cluster.x, cluster.y, cluster.z};
    attributes[1].id = cudaLaunchAttributePreferredClusterDimension;
    attributes[1].val.preferredClusterDim = {preferred.x, preferred.y, preferred.z};
    config.attrs = attributes;
    config.numAttrs = preferred.x ? 2 : 1;
    return cudaLaunchKernelExC(&config, (const void *)kernel, nullptr); //~ ERROR invalid-launch: clusters of 3 x 1 x 1 do not divide it
    //~^ ERROR invalid-launch: clusters of 16 x 1 x 1 blocks: that is more than 8
    //~^^ ERROR invalid-launch: clusters of 0 x 1 x 1 blocks
    //~^^^ ERROR invalid-launch: clusters of 32 x 1 x 1 blocks: that is more than 16
    //~^^^^ ERROR invalid-launch: clusters of 4 x 1 x 1 blocks: the kernel requires 2 x 2 x 1
    //~^^^^^ ERROR invalid-launch: clusters of 8 x 1 x 1 blocks: that is more than 4
    //~^^^^^^ ERROR invalid-launch: preferred clusters of 3 x 1 x 1 blocks: this is not a multiple of clusters of 2 x 1 x 1
    //~^^^^^^^ ERROR invalid-launch: preferred clusters of 8 x 1 x 1 do not divide it
    //~^^^^^^^^ ERROR invalid-launch: clusters of 2 x 1 x 1 blocks: the kernel requires 4 x 1 x 1
}

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

void told(const char *when) {
    int n, dims;
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&n, blocks, sizeof n);
    cudaMemcpyFromSymbol(&dims, shape, sizeof dims);
    printf("%s: %d blocks so far, shape %d\n", when, n, dims);
}

void show(const char *name, void (*kernel)()) {
    cudaFuncAttributes a;
    cudaFuncGetAttributes(&a, (const void *)kernel);
    printf("%s: must be set %d, required %d %d %d, policy %d, non-portable %d\n", name, a.clusterDimMustBeSet,
           a.requiredClusterWidth, a.requiredClusterHeight, a.requiredClusterDepth,
           a.clusterSchedulingPolicyPreference, a.nonPortableClusterSizeAllowed);
}

int main() {
    SAY(launch(every, 8, dim3(4, 1, 1)));
    told("four");
    SAY(launch(every, dim3(4, 4, 2), dim3(2, 2, 2)));
    told("eight");
    SAY(launch(every, 8, dim3(1, 1, 1)));
    SAY(launch(every, 8, dim3(3, 1, 1)));
    SAY(launch(every, 32, dim3(16, 1, 1)));
    SAY(launch(every, 32, dim3(0, 1, 1)));
    SAY(cudaFuncSetAttribute((const void *)every, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    SAY(launch(every, 32, dim3(16, 1, 1)));
    told("sixteen");
    SAY(launch(every, 32, dim3(32, 1, 1)));
    SAY(cudaFuncSetAttribute((const void *)every, cudaFuncAttributeNonPortableClusterSizeAllowed, 2));

    SAY(launch(fixed, dim3(4, 2), dim3(2, 2, 1)));
    SAY(launch(fixed, dim3(4, 4), dim3(4, 1, 1)));
    fixed<<<dim3(4, 2), 32>>>();
    SAY(cudaGetLastError());
    fixed<<<4, 32>>>(); //~ ERROR invalid-launch: clusters of 2 x 2 x 1 do not divide
    SAY(cudaGetLastError());
    SAY(launch(bounded, 8, dim3(4, 1, 1)));
    SAY(launch(bounded, 8, dim3(8, 1, 1)));

    SAY(launch(every, 8, dim3(2, 1, 1), dim3(4, 1, 1)));
    SAY(launch(every, 8, dim3(2, 1, 1), dim3(3, 1, 1)));
    SAY(launch(every, 12, dim3(2, 1, 1), dim3(8, 1, 1)));

    SAY(cudaFuncSetAttribute((const void *)fixed, cudaFuncAttributeRequiredClusterWidth, 4));
    SAY(cudaFuncSetAttribute((const void *)later, cudaFuncAttributeRequiredClusterWidth, 4));
    later<<<8, 32>>>(); //~ ERROR invalid-launch: with clusters of 4 x 0 x 0 blocks
    SAY(cudaGetLastError());
    SAY(cudaFuncSetAttribute((const void *)later, cudaFuncAttributeRequiredClusterHeight, 1));
    SAY(cudaFuncSetAttribute((const void *)later, cudaFuncAttributeRequiredClusterDepth, 1));
    later<<<8, 32>>>();
    SAY(cudaGetLastError());
    SAY(launch(later, 8, dim3(2, 1, 1)));
    SAY(cudaFuncSetAttribute((const void *)later, cudaFuncAttributeClusterDimMustBeSet, 1));
    SAY(cudaFuncSetAttribute((const void *)later, cudaFuncAttributeClusterSchedulingPolicyPreference,
                             cudaClusterSchedulingPolicySpread));
    SAY(cudaFuncSetAttribute((const void *)later, cudaFuncAttributeClusterSchedulingPolicyPreference, 3));
    show("every", every);
    show("fixed", fixed);
    show("later", later);

    cudaLaunchConfig_t config = {};
    config.gridDim = 16;
    config.blockDim = 1024;
    cudaLaunchAttribute attributes[2];
    attributes[0].id = cudaLaunchAttributeClusterDimension;
    attributes[0].val.clusterDim = {4, 1, 1};
    attributes[1].id = cudaLaunchAttributeClusterSchedulingPolicyPreference;
    attributes[1].val.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicyLoadBalancing;
    config.attrs = attributes;
    int n = -1;
    SAY(cudaOccupancyMaxPotentialClusterSize(&n, every, &config));
    printf("%d\n", n);
    SAY(cudaOccupancyMaxPotentialClusterSize(&n, bounded, &config));
    config.blockDim = 64;
    SAY(cudaOccupancyMaxPotentialClusterSize(&n, bounded, &config));
    printf("%d\n", n);
    SAY(cudaOccupancyMaxPotentialClusterSize(&n, fixed, &config));
    printf("%d\n", n);
    config.gridDim = dim3(16, 2);
    SAY(cudaOccupancyMaxActiveClusters(&n, every, &config));
    SAY(cudaOccupancyMaxActiveClusters(&n, fixed, &config));
    printf("%s\n", n > 0 ? "some" : "none");
    config.numAttrs = 2;
    int more = -1;
    SAY(cudaOccupancyMaxActiveClusters(&more, every, &config));
    printf("%s\n", more > 0 ? "some" : "none");
    SAY(cudaOccupancyMaxActiveClusters(&n, fixed, &config));
    attributes[1].val.clusterSchedulingPolicyPreference = (cudaClusterSchedulingPolicy)7;
    SAY(cudaLaunchKernelExC(&config, (const void *)every, nullptr));
    SAY(cudaDeviceSynchronize());
}
