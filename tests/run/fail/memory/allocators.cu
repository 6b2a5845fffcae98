// Reports name the function that memory came from.
// revisions: plain async pitch extent managed pinned mapped

__global__ void past(char *p, size_t size) {
    p[size] = 1; //~ ERROR out-of-bounds
}

int main() {
    char *p;
    size_t size = 512;
#if defined(REV_plain)
    cudaMalloc(&p, size); //[plain]~ RELATED out-of-bounds
#elif defined(REV_async)
    cudaMallocAsync(&p, size, 0); //[async]~ RELATED out-of-bounds
#elif defined(REV_pitch)
    size_t pitch;
    cudaMallocPitch(&p, &pitch, 100, 4); //[pitch]~ RELATED out-of-bounds
    size = 4 * pitch;
#elif defined(REV_extent)
    cudaPitchedPtr q;
    cudaMalloc3D(&q, make_cudaExtent(100, 2, 3)); //[extent]~ RELATED out-of-bounds
    p = (char *)q.ptr;
    size = 6 * q.pitch;
#elif defined(REV_managed)
    cudaMallocManaged(&p, size); //[managed]~ RELATED out-of-bounds
#elif defined(REV_pinned)
    cudaMallocHost(&p, size); //[pinned]~ RELATED out-of-bounds
#else
    cudaHostAlloc(&p, size, cudaHostAllocMapped); //[mapped]~ RELATED out-of-bounds
#endif
    past<<<1, 1>>>(p, size);
    (void)cudaDeviceSynchronize();
    return 0;
}
