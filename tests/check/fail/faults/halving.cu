// The first value is too large, and with it the half of it.
// flags: --block-dim 1
__global__ void reduce(float *out) {
    __shared__ float parts[256];
    float sum = 0;
    parts[0] = 0;
    for (int half = 512; half > 0; half /= 2) sum += half < 512 ? parts[half] : 0; //~ ERROR out-of-bounds: touches 4 bytes at offset 1024 of `parts`
    *out = sum;
}

__global__ void below_zero(int *out) {
    __shared__ int s[64];
    for (int i = -128; i < 0; i /= 4) s[i + 128] = 1; //~ ERROR out-of-bounds: touches 4 bytes at offset 384 of `s`
    *out = 1;
}
