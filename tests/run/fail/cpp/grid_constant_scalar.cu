// A `__grid_constant__` parameter that is no class is a copy for each thread here. A program that asks whose address
// is a parameter's would get a wrong answer, so it is refused, in whatever order the two come.
// revisions: asked_first asked_last not_asked
__device__ bool is_parameter(const void* p) {
#ifdef REV_asked_first
    return __isGridConstant(p); //[asked_first]~ DIAGNOSTIC unsupported: that is not of a class type
#else
    return p != nullptr; // no parameter's address is asked for
#endif
}

__global__ void kernel(const __grid_constant__ int n, int* out) {
    *out = n + is_parameter(&n);
#ifdef REV_asked_last
    *out += __isGridConstant(out); //[asked_last]~ DIAGNOSTIC unsupported: that is not of a class type
#endif
}

int main() {
    int* out;
    cudaMalloc(&out, sizeof(int));
    kernel<<<1, 1>>>(3, out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
