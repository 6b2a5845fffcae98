// Clusters in graphs: attributes of kernel nodes, launches that are captured, parameters that change.
#include <cooperative_groups.h>
#include <cstdio>
namespace cg = cooperative_groups;

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void size(int *out) {
    cg::cluster_group cluster = cg::this_cluster();
    __shared__ int box;
    if (threadIdx.x == 0)
        box = cluster.block_rank();
    cluster.sync();
    if (threadIdx.x == 0)
        out[blockIdx.x] = 10 * cluster.num_blocks() + *cluster.map_shared_rank(&box, cluster.num_blocks() - 1);
    cluster.sync();
}

void run(const char *when, cudaGraphExec_t exec, int *out) {
    for (int i = 0; i < 8; i++)
        out[i] = -1;
    cudaError_t launched = cudaGraphLaunch(exec, 0), ran = cudaDeviceSynchronize();
    printf("%s: %s %s %d %d\n", when, cudaGetErrorName(launched), cudaGetErrorName(ran), out[0], out[7]);
}

int main() {
    int *out;
    cudaMallocManaged(&out, 8 * sizeof(int));
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    void *args[] = {&out};
    cudaKernelNodeParams params = {};
    params.func = (void *)size;
    params.gridDim = 8;
    params.blockDim = 32;
    params.kernelParams = args;
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
    cudaLaunchAttributeValue value = {};
    SAY(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    printf("%u %u %u\n", value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
    value.clusterDim = {3, 1, 1};
    SAY(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    value.clusterDim = {4, 1, 1};
    SAY(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    value = {};
    SAY(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    printf("%u %u %u\n", value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
    cudaLaunchAttributeValue policy = {};
    policy.clusterSchedulingPolicyPreference = cudaClusterSchedulingPolicySpread;
    SAY(cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeClusterSchedulingPolicyPreference, &policy));
    cudaGraphExec_t exec;
    cudaGraphInstantiate(&exec, graph, 0);
    run("four", exec, out);
    // New parameters leave the attribute.
    params.blockDim = 64;
    SAY(cudaGraphExecKernelNodeSetParams(exec, node, &params));
    run("four of 64", exec, out);
    SAY(cudaGraphKernelNodeSetParams(node, &params));
    cudaGraphExecDestroy(exec);
    cudaGraphInstantiate(&exec, graph, 0);
    run("again", exec, out);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);

    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaLaunchConfig_t config = {};
    config.gridDim = 8;
    config.blockDim = 32;
    config.stream = stream;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim = {2, 1, 1};
    config.attrs = &attribute;
    config.numAttrs = 1;
    SAY(cudaLaunchKernelEx(&config, size, out));
    cudaStreamEndCapture(stream, &graph);
    size_t n = 1;
    cudaGraphGetNodes(graph, &node, &n);
    value = {};
    SAY(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeClusterDimension, &value));
    printf("%u %u %u\n", value.clusterDim.x, value.clusterDim.y, value.clusterDim.z);
    cudaGraphInstantiate(&exec, graph, 0);
    run("captured", exec, out);
    cudaGraphExecDestroy(exec);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
    cudaFree(out);
}
