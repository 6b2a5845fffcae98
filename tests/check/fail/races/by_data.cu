// Two threads write what memory holds: that the values may be equal makes the race no less certain. So it is with copies, and
// with pointers that are members of an aggregate. Near misses: each thread has its own bytes.
// flags: --block-dim 8 --grid-dim 1 --verdicts
struct Three {
    short a, b;
    char c;
};

struct Arrays {
    int size;
    float *first, *second;
};

__global__ void one_place(int *out, const int *in) {
    out[0] = in[threadIdx.x]; //~ ERROR global-race: threads 0 and 1 of block 0 touch the same bytes of what `out` points to
}

__global__ void two_at_once(Three *out, const Three *in) {
    __builtin_memcpy(&out[threadIdx.x], &in[threadIdx.x], 12); //~ ERROR global-race: threads 0 and 1 of block 0 touch the same bytes of what `out` points to
}

__global__ void one_at_once(Three *out, const Three *in) {
    __builtin_memcpy(&out[threadIdx.x], &in[threadIdx.x], 6);
}

__global__ void of_member(Arrays arrays) {
    arrays.second[0] = threadIdx.x; //~ ERROR global-race: threads 0 and 1 of block 0 touch the same bytes of what a member of `arrays` points to
}

__global__ void of_members(Arrays arrays) {
    arrays.first[threadIdx.x] = 1;
    arrays.second[threadIdx.x] = arrays.first[threadIdx.x];
}
