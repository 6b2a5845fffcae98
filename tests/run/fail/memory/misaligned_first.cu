// An access that is misaligned and out of bounds is told as misaligned: the device looks at the alignment first.
__device__ int x;
__global__ void unaligned() {
    *(int *)((char *)&x + 1) = 42; //~ ERROR misaligned-access
}
int main() {
    unaligned<<<1, 1>>>();
    return cudaDeviceSynchronize() == cudaErrorMisalignedAddress ? 0 : 1;
}
