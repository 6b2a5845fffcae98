// The host waits for a flag in mapped memory: only `volatile` or atomic accesses in system scope make one, and only
// fences let it order anything else.
// revisions: right plain no_fence device_scope
#include <stdio.h>

#ifdef REV_plain
typedef int Flag;
#else
typedef volatile int Flag;
#endif

__global__ void produce(int *data, Flag *flag) {
    *data = 7; //[no_fence]~ RELATED global-race
#ifndef REV_no_fence
    __threadfence_system();
#endif
#ifdef REV_device_scope
    atomicExch((int *)flag, 1); //[device_scope]~ RELATED global-race
#else
    *flag = 1; //[plain]~ RELATED global-race
#endif
}

int main() {
    int *data;
    Flag *flag;
    cudaHostAlloc(&data, sizeof(int), cudaHostAllocMapped);
    cudaHostAlloc((void **)&flag, sizeof(int), cudaHostAllocMapped);
    *data = 0;
    *flag = 0;
    produce<<<1, 1>>>(data, flag);
    //[plain]~^ RELATED global-race
    //[no_fence]~^^ RELATED global-race
    //[device_scope]~^^^ RELATED global-race
    while (*flag == 0) {}
    //[plain]~^ ERROR global-race: the host reads 4 bytes
    //[device_scope]~^^ ERROR global-race
#ifndef REV_plain
    printf("%d\n", *data); //[no_fence]~ ERROR global-race: the host reads 4 bytes
#endif
    cudaDeviceSynchronize();
    cudaFreeHost(data);
    cudaFreeHost((void *)flag);
    return 0;
}
