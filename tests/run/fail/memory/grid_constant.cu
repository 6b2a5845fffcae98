// A `__grid_constant__` parameter is const for the whole grid: who casts its `const` away writes to constant memory,
// and behind its end there is nothing. A parameter without the word is a variable of the thread.
// revisions: write behind copy
struct Weights {
    float w[8];
};

__global__ void scale(const __grid_constant__ Weights weights, Weights copy, float* out) {
    int i = threadIdx.x;
#ifdef REV_write
    const_cast<float&>(weights.w[i]) = 2.0f; //[write]~ ERROR read-only-write
#elif defined(REV_behind)
    const float* w = weights.w;
    out[i] = w[i + i / 4]; //[behind]~ ERROR out-of-bounds
#else
    copy.w[i] = 2.0f;
    out[i] = copy.w[i] + weights.w[i];
#endif
}

int main() {
    float* out;
    cudaMalloc(&out, 8 * sizeof(float));
    scale<<<1, 8>>>(Weights{{1, 2, 3}}, Weights{}, out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
