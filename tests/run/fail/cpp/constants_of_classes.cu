// What is no constant of the device, or none that cudair can make: constructors run on the host, whose addresses are not the
// device's.
// revisions: pointer table call host
struct Text {
    const char *text;
    __host__ __device__ constexpr Text(const char *text) : text(text) {}
};
struct Base {
    int n;
    __host__ __device__ constexpr Base(int n) : n(n) {}
    __device__ virtual int get() const { return n; }
};
struct Plain {
    int n;
    __host__ __device__ Plain(int n) : n(n) {}
};

#if defined(REV_pointer)
__device__ Text text("abc"); //[pointer]~ DIAGNOSTIC unsupported: a device variable whose constructor may store addresses
__global__ void kernel(int *out) { *out = text.text[0]; }
#elif defined(REV_table)
__device__ Base base(3); //[table]~ DIAGNOSTIC unsupported: a device variable whose constructor may store addresses
__global__ void kernel(int *out) { *out = base.get(); }
#elif defined(REV_call)
__global__ void kernel(int *out) {
    static const Plain plain(3); //[call]~ DIAGNOSTIC unsupported: a device variable whose initialiser is not constant
    *out = plain.n;
}
#else
const Plain plain(3);
__global__ void kernel(int *out) { *out = plain.n; } //[host]~ ERROR wrong-memory-space: device code reads `plain`
#endif

int main() {
    int *d;
    cudaMalloc(&d, sizeof *d);
    kernel<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
}
