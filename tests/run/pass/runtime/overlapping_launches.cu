// Launches that may begin before what they depend on has ended: the second kernel waits for the first one's results.
#include <cstdio>

__global__ void first(int* data) {
    cudaTriggerProgrammaticLaunchCompletion();
    data[threadIdx.x] = threadIdx.x * 3;
}
__global__ void second(const int* data, int* out) {
    __shared__ int own[64];
    own[threadIdx.x] = threadIdx.x;
    cudaGridDependencySynchronize();
    out[threadIdx.x] = own[threadIdx.x] + data[63 - threadIdx.x];
}

int main() {
    int *data, *out;
    cudaMallocManaged(&data, 64 * sizeof *data);
    cudaMallocManaged(&out, 64 * sizeof *out);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    first<<<1, 64, 0, stream>>>(data);
    cudaLaunchAttribute attribute;
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(1);
    config.blockDim = dim3(64);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    printf("%s\n", cudaGetErrorName(cudaLaunchKernelEx(&config, second, (const int*)data, out)));
    cudaStreamSynchronize(stream);
    printf("%d %d\n", out[0], out[63]);
    cudaStreamDestroy(stream);
    cudaFree(data);
    cudaFree(out);
}
