// Barriers with numbers to which others come than they wait for, or may come.

__global__ void half(int *out) {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;"); //~ ERROR barrier-divergence: barrier 1 waits for 64 threads, and only 32 come
    out[threadIdx.x] = 1;
}

__global__ void two_numbers(int *out) {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;"); //~ ERROR barrier-divergence: barrier 1 waits for 64 threads, and only 32 come
    else
        asm volatile("bar.sync 2, 64;");
    out[threadIdx.x] = 1;
}

__global__ void with_the_block(int *out) {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;"); //~ ERROR barrier-divergence: barrier 1 waits for 64 threads, and only 32 come
    __syncthreads();
    out[threadIdx.x] = 1;
}

// The second time only one warp comes.
__global__ void once_more(int *out) {
    for (int i = 0; i < (threadIdx.x < 32 ? 2 : 1); i++)
        asm volatile("bar.sync 1, 64;"); //~ ERROR barrier-divergence: barrier 1 waits for 64 threads, and only 32 come
    out[threadIdx.x] = 1;
}

__global__ void too_many(int *out) {
    asm volatile("bar.sync 1, 96;"); //~ ERROR barrier-divergence: barrier 1 waits for 96 threads, and a block has 64
    out[threadIdx.x] = 1;
}

__global__ void of_nobody(int *out) {
    asm volatile("bar.sync 1, 0;"); //~ WARNING barrier-divergence: barrier 1 waits for 0 threads: a run waits for ever, and PTX does not say
    out[threadIdx.x] = 1;
}

__global__ void nobody_arrives(int *out) {
    if (threadIdx.x >= 32)
        asm volatile("bar.sync 1, 64;"); //~ ERROR barrier-divergence: barrier 1 waits for 64 threads, and only 32 come
    else
        asm volatile("bar.arrive 2, 64;");
    out[threadIdx.x] = 1;
}

__global__ void data_before(int *out, const int *in) {
    if (in[threadIdx.x] > 3)
        out[threadIdx.x] = 7;
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;"); //~ ERROR barrier-divergence: barrier 1 waits for 64 threads, and only 32 come
    out[threadIdx.x] = 1;
}

// Without a count all threads are awaited, but some devices do not await those that have left.
__global__ void left(int *out) {
    if (threadIdx.x < 32)
        return;
    asm volatile("bar.sync 1;"); //~ WARNING barrier-divergence: threads leave the kernel without coming to barrier 1
    out[threadIdx.x] = 1;
}

__global__ void part_of_a_warp(int *out) {
    if (threadIdx.x < 16 || threadIdx.x >= 48)
        asm volatile("barrier.sync 1, 32;"); //~ WARNING barrier-divergence: a part of a warp comes to barrier 1
    out[threadIdx.x] = 1;
}

__global__ void odd_count(int *out) {
    if (threadIdx.x < 40)
        asm volatile("barrier.sync 1, 40;"); //~ WARNING barrier-divergence: barrier 1 waits for 40 threads, which is no multiple of the warp's 32
    out[threadIdx.x] = 1;
}

__global__ void all_of_an_odd_block(int *out) {
    asm volatile("barrier.sync 1, 48;"); //~ WARNING barrier-divergence: barrier 1 hangs on how a warp counts that is not whole
    out[threadIdx.x] = 1;
}

__global__ void who_comes_first(int *out) {
    asm volatile("bar.sync 1, 32;"); //~ WARNING barrier-divergence: which threads meet at barrier 1 hangs on who comes first
    out[threadIdx.x] = 1;
}

__global__ void twice(int *out) {
    if (threadIdx.x < 32) {
        asm volatile("bar.arrive 1, 64;"); //~ WARNING barrier-divergence: which threads meet at barrier 1 hangs on who comes first
        asm volatile("bar.arrive 1, 64;");
    } else {
        asm volatile("bar.sync 1, 64;");
        asm volatile("bar.sync 1, 64;");
    }
    out[threadIdx.x] = 1;
}

__global__ void other_counts(int *out) {
    if (threadIdx.x < 32)
        asm volatile("bar.sync 1, 64;"); //~ WARNING barrier-divergence: threads name different counts for barrier 1
    else
        asm volatile("bar.sync 1, 32;");
    out[threadIdx.x] = 1;
}

__global__ void left_over(int *out) {
    if (threadIdx.x < 32)
        asm volatile("bar.arrive 1, 64;"); //~ WARNING barrier-divergence: threads arrive at barrier 1, and nobody waits for them
    out[threadIdx.x] = 1;
}

int main() {
    int *p, *q;
    cudaMalloc(&p, 4096);
    cudaMalloc(&q, 4096);
    half<<<2, 64>>>(p);
    two_numbers<<<1, 64>>>(p);
    with_the_block<<<1, 64>>>(p);
    once_more<<<1, 64>>>(p);
    too_many<<<1, 64>>>(p);
    of_nobody<<<1, 64>>>(p);
    nobody_arrives<<<1, 64>>>(p);
    data_before<<<1, 64>>>(p, q);
    left<<<1, 64>>>(p);
    part_of_a_warp<<<1, 64>>>(p);
    odd_count<<<1, 64>>>(p);
    all_of_an_odd_block<<<1, 48>>>(p);
    who_comes_first<<<1, 64>>>(p);
    twice<<<1, 64>>>(p);
    other_counts<<<1, 64>>>(p);
    left_over<<<1, 64>>>(p);
}
