// A page-locked variable of a function that has returned before the copy from it runs.
// revisions: right gone
#include <stdio.h>

void send(int *device) {
    int local[16]; //[gone]~ RELATED use-after-free
    for (int i = 0; i < 16; ++i) local[i] = i;
    cudaHostRegister(local, sizeof local, cudaHostRegisterDefault);
    cudaMemcpyAsync(device, local, sizeof local, cudaMemcpyHostToDevice); //[gone]~ ERROR use-after-free
#ifdef REV_right
    cudaDeviceSynchronize();
    cudaHostUnregister(local);
#endif
} //[gone]~ RELATED use-after-free

int main() {
    int *device;
    cudaMalloc(&device, 64);
    send(device);
    cudaDeviceSynchronize();
    cudaFree(device);
    return 0;
}
