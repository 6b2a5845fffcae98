// Advice for managed memory, prefetching, and what the runtime says of a range: results and errors.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

static void tell(const char *when, const void *p, size_t bytes) {
    int mostly = -9, preferred = -9, last = -9, by[3] = {-9, -9, -9};
    void *data[] = {&mostly, &preferred, by, &last};
    size_t sizes[] = {sizeof mostly, sizeof preferred, sizeof by, sizeof last};
    cudaMemRangeAttribute what[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributePreferredLocation,
                                    cudaMemRangeAttributeAccessedBy, cudaMemRangeAttributeLastPrefetchLocation};
    cudaError_t e = cudaMemRangeGetAttributes(data, sizes, what, 4, p, bytes);
    printf("%s: %s mostly %d preferred %d by %d %d %d last %d\n", when, cudaGetErrorName(e), mostly, preferred,
           by[0], by[1], by[2], last);
}

__global__ void twice(int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) p[i] *= 2;
}

int main() {
    const size_t bytes = 4 * 4096;
    int *p, *device;
    cudaMallocManaged(&p, bytes);
    cudaMalloc(&device, bytes);
    for (int i = 0; i < 4096; i++) p[i] = i;

    tell("at first", p, bytes);
    SAY(cudaMemAdvise(p, bytes, cudaMemAdviseSetReadMostly, 0));
    tell("read mostly", p, bytes);
    SAY(cudaMemAdvise(p, 4096, cudaMemAdviseUnsetReadMostly, 0));
    tell("whole", p, bytes);
    tell("the rest", p + 1024, bytes - 4096);
    SAY(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, cudaCpuDeviceId));
    SAY(cudaMemAdvise(p, bytes, cudaMemAdviseSetAccessedBy, 0));
    tell("at the host", p, bytes);
    SAY(cudaMemAdvise(p, bytes, cudaMemAdviseSetAccessedBy, cudaCpuDeviceId));
    SAY(cudaMemPrefetchAsync(p, bytes, 0));
    tell("prefetched", p, bytes);
    int kind = -9, id = -9;
    SAY(cudaMemRangeGetAttribute(&kind, 4, cudaMemRangeAttributePreferredLocationType, p, bytes));
    SAY(cudaMemRangeGetAttribute(&id, 4, cudaMemRangeAttributeLastPrefetchLocationId, p, bytes));
    printf("type %d id %d\n", kind, id);
    SAY(cudaMemAdvise(p, bytes, cudaMemAdviseUnsetPreferredLocation, 0));
    SAY(cudaMemAdvise(p, bytes, cudaMemAdviseUnsetAccessedBy, 0));
    tell("unset", p, bytes);
    cudaMemLocation host; // Its number does not count.
    host.type = cudaMemLocationTypeHost;
    SAY(cudaMemAdvise_v2(p, bytes, cudaMemAdviseSetPreferredLocation, host));
    SAY(cudaMemPrefetchAsync_v2(p, bytes, host, 0, 0));
    tell("by location", p, bytes);

    twice<<<16, 256>>>(p, 4096);
    SAY(cudaMemPrefetchAsync(p, bytes, cudaCpuDeviceId, 0));
    SAY(cudaDeviceSynchronize());
    printf("%d %d\n", p[1], p[4095]);

    // What is refused.
    SAY(cudaMemAdvise(device, bytes, cudaMemAdviseSetReadMostly, 0));
    SAY(cudaMemAdvise(p, 0, cudaMemAdviseSetReadMostly, 0));
    SAY(cudaMemAdvise(p, bytes, (cudaMemoryAdvise)99, 0));
    SAY(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, 4));
    SAY(cudaMemPrefetchAsync(p, bytes, 4));
    SAY(cudaMemPrefetchAsync(device, bytes, 0));
    SAY(cudaMemRangeGetAttribute(&id, 8, cudaMemRangeAttributeReadMostly, p, bytes));
    SAY(cudaMemRangeGetAttribute(&id, 3, cudaMemRangeAttributeAccessedBy, p, bytes));
    SAY(cudaMemRangeGetAttribute(nullptr, 4, cudaMemRangeAttributeReadMostly, p, bytes));
    SAY(cudaMemRangeGetAttribute(&id, 4, (cudaMemRangeAttribute)77, p, bytes));
    SAY(cudaMemRangeGetAttributes(nullptr, nullptr, nullptr, 0, p, bytes));

    cudaStream_t s;
    cudaStreamCreate(&s);
    SAY(cudaStreamAttachMemAsync(s, p));
    SAY(cudaStreamAttachMemAsync(s, p, bytes, cudaMemAttachGlobal));
    SAY(cudaStreamAttachMemAsync(s, p, 100, cudaMemAttachGlobal));
    SAY(cudaStreamAttachMemAsync(s, p, 0, 8));
    SAY(cudaStreamAttachMemAsync(s, device));
    SAY(cudaStreamDestroy(s));
    int *kept = p;
    SAY(cudaMallocManaged(&p, 0));
    p = kept;
    cudaFree(device);
    SAY(cudaFree(p));
}
