// What parts the threads stands in the macro of the barrier: both are told, at the macro's use. A condition whose text
// begins in a macro's argument is not quoted in part.
#define SAME(x) x
#define BARRIER_IF(condition) if (condition) __syncthreads()
#define FIRST_ONLY if (threadIdx.x == 0) __syncthreads()

__global__ void inside(int *p) {
    FIRST_ONLY; //~ ERROR barrier-divergence
    p[0] = 1;
    __syncthreads();
}

__global__ void argument(int *p) {
    BARRIER_IF(threadIdx.x < 3); //~ ERROR barrier-divergence
    p[0] = 1;
    __syncthreads();
}

__global__ void part(int *p) {
    int t = threadIdx.x;
    if (SAME(t) == SAME(3)) __syncthreads(); //~ ERROR barrier-divergence
    p[0] = 1; //~ WARNING global-race
    __syncthreads();
}

int main() {
    int *p = 0;
    inside<<<1, 32>>>(p);
    argument<<<1, 32>>>(p);
    part<<<1, 32>>>(p);
    return 0;
}
