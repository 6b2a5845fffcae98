// A condition whose last token a macro brings, in the argument of another macro: it is quoted with that macro's use.
#define COUNT n
#define LIMIT(a, b) ((a) < (b) ? (a) : (b))
#define SAME(...) __VA_ARGS__

__global__ void object(int *p) {
    int n = 4;
    if (threadIdx.x > 8) n = 5;
    for (int i = 0; SAME(i < COUNT); ++i) {
        __syncthreads(); //~ ERROR barrier-divergence
        p[0] = i;
    }
    __syncthreads();
}

__global__ void with_arguments(int *p) {
    int n = 4;
    if (threadIdx.x > 8) n = 5;
    for (int i = 0; SAME(i < LIMIT(n, 9)); ++i) {
        __syncthreads(); //~ ERROR barrier-divergence
        p[0] = i;
    }
    __syncthreads();
}
