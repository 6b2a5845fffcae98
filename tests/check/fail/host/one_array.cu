// Two parameters point into one array. Near miss: the second half begins where the first ends.
// flags: --strict
// revisions: halves overlap
__global__ void copy(float *to, const float *from) {
    to[threadIdx.x] = from[threadIdx.x]; //[overlap]~ ERROR global-race
}

int main() {
    float *p;
    cudaMalloc(&p, 4096);
    cudaMemset(p, 0, 4096);
#ifdef REV_halves
    copy<<<1, 256>>>(p, p + 256);
#else
    copy<<<1, 256>>>(p, p + 255);
#endif
    cudaDeviceSynchronize();
    cudaFree(p);
    return 0;
}
