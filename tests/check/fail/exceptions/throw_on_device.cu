// An exception cannot be thrown in device code: told where the device reaches it, and on the host alone it is fine.
// revisions: reached host
struct Array {
    int data[4];
    __host__ __device__ int at(int i) const {
        if (i >= 4)
            throw i; //[reached]~ DIAGNOSTIC unsupported: an exception thrown in device code
        return data[i];
    }
};

int on_host(const Array& a, int n) {
    try {
        return a.at(n);
    } catch (int) {
        return 0;
    }
}

__global__ void kernel(Array a, int* out) {
#ifdef REV_reached
    *out = a.at(threadIdx.x);
#else
    *out = a.data[threadIdx.x & 3];
#endif
}
