// Pools: the errors of their calls beyond what they give.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
    cudaMemPool_t own, usual;
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location = {cudaMemLocationTypeDevice, 0};
    SAY(cudaMemPoolCreate(&own, &props));
    props.location.id = 5;
    SAY(cudaMemPoolCreate(&usual, &props));
    SAY(cudaMemPoolCreate(nullptr, &props));
    SAY(cudaDeviceGetDefaultMemPool(&usual, 0));
    SAY(cudaDeviceGetDefaultMemPool(&usual, 3));

    cudaMemAccessDesc desc = {{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
    SAY(cudaMemPoolSetAccess(own, &desc, 1));
    desc.location.id = 4;
    SAY(cudaMemPoolSetAccess(own, &desc, 1));
    cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
    cudaMemAccessFlags flags = cudaMemAccessFlagsProtNone;
    SAY(cudaMemPoolGetAccess(&flags, own, &here));
    printf("access %d\n", (int)flags);

    unsigned long long word = 0;
    SAY(cudaMemPoolSetAttribute(own, cudaMemPoolAttrReleaseThreshold, &word));
    SAY(cudaMemPoolGetAttribute(own, cudaMemPoolAttrReservedMemCurrent, &word));
    SAY(cudaMemPoolGetAttribute(own, (cudaMemPoolAttr)99, &word));
    SAY(cudaMemPoolGetAttribute(own, cudaMemPoolAttrReservedMemCurrent, nullptr));
    SAY(cudaMemPoolTrimTo(own, 0));
    int *p;
    SAY(cudaMallocFromPoolAsync(&p, 64, own, 0));
    SAY(cudaMemsetAsync(p, 0, 64, 0));
    SAY(cudaFreeAsync(p, 0));
    SAY(cudaStreamSynchronize(0));
    SAY(cudaMemPoolDestroy(own));
    SAY(cudaMemPoolDestroy(usual));
}
