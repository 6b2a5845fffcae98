// Kernel nodes that device code updates are not supported, and said so.
// revisions: node captured
#include <cstdio>

__global__ void work() {}

int main() {
    cudaGraph_t graph;
#ifdef REV_node
    cudaGraphCreate(&graph, 0);
    cudaKernelNodeParams params = {};
    params.func = (void *)work;
    params.gridDim = 1;
    params.blockDim = 1;
    cudaGraphNode_t node;
    cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params);
    cudaLaunchAttributeValue value = {};
    value.deviceUpdatableKernelNode.deviceUpdatable = 1;
    cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeDeviceUpdatableKernelNode, &value); //[node]~ DIAGNOSTIC unsupported: a kernel node of a graph that device code updates
#else
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    cudaLaunchConfig_t config = {};
    config.gridDim = 1;
    config.blockDim = 1;
    config.stream = stream;
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeDeviceUpdatableKernelNode;
    attribute.val.deviceUpdatableKernelNode.deviceUpdatable = 1;
    config.attrs = &attribute;
    config.numAttrs = 1;
    cudaLaunchKernelExC(&config, (void *)work, nullptr); //[captured]~ DIAGNOSTIC unsupported: a kernel node of a graph that device code updates
#endif
}
