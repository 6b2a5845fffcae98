// Local variables in memory in machine code: every access is checked, in each lane.
// run-flags: --engine jit
// revisions: beyond before row uninit lane stale byte ended copied parameter none
#include <cstdio>

struct Pair {
    int first[4];
    int second[4];
};

__global__ void k(const int *at, int *out, int n, Pair given) {
    int i = threadIdx.x;
    int a[8];
    for (int j = 0; j < 8; j++)
#if defined(REV_uninit)
        if (j != 5)
#elif defined(REV_lane)
        if (at[i] != 21 || j != 3)
#endif
            a[j] = j + i;
#if defined(REV_beyond)
    out[i] = a[at[i] % 9]; //[beyond]~ ERROR out-of-bounds
#elif defined(REV_before)
    a[7 - (at[i] & 8)] = 1; //[before]~ ERROR out-of-bounds
#elif defined(REV_row)
    out[i] = a[n]; //[row]~ ERROR out-of-bounds
#elif defined(REV_uninit)
    int s = 0;
    for (int j = 0; j < 8; j++) s += a[j]; //[uninit]~ ERROR uninitialized-read
    out[i] = s;
#elif defined(REV_lane)
    // One thread lacks one element.
    int s = 0;
    if (at[i] & 1)
        for (int j = 0; j < 8; j++) s += a[j]; //[lane]~ ERROR uninitialized-read
    out[i] = s;
#elif defined(REV_stale)
    int s = 0;
    for (int j = 0; j < 3; j++) {
        int b[4];
        if (j == 0) b[at[i] & 3] = j;
        s += b[at[i] & 3]; //[stale]~ ERROR uninitialized-read
    }
    out[i] = s;
#elif defined(REV_byte)
    union {
        int word[2];
        char byte[8];
    } u;
    u.byte[0] = u.byte[1] = u.byte[3] = u.byte[4 + (i & 3)] = 1;
    out[i] = u.word[0] + 1; //[byte]~ ERROR uninitialized-read
#elif defined(REV_copied)
    // One thread lacks an element, and what it lacks is copied first.
    Pair p, q;
    for (int j = 0; j < 4; j++) p.first[j] = p.second[j ^ (at[i] == 9 && j == 3)] = j;
    q = p;
    out[i] = q.first[at[i] & 3] + q.second[3]; //[copied]~ ERROR uninitialized-read
#elif defined(REV_parameter)
    given.second[at[i] & 1] = 3;
    out[i] = given.first[at[i] & 3] + given.second[at[i] & 3]; //[parameter]~ ERROR uninitialized-read
#elif defined(REV_ended)
    int *p;
    {
        int b[4] = {1, 2, 3, i};
        p = &b[at[i] & 3];
        *p += 1;
    }
    *p = 4; //[ended]~ ERROR use-after-free
#else
    // The last element and the first, an element that only its reader has written, the other bytes of a word.
    int b[8];
    b[at[i] & 7] = a[7 - (at[i] & 7)];
    union {
        int word[2];
        char byte[8];
    } u;
    u.byte[i & 7] = 3;
    u.byte[(i & 7) ^ 1] = 4;
    out[i] = b[at[i] & 7] + u.byte[i & 7] + u.byte[(i & 7) ^ 1];
    // What lacks a value is copied, and not used, or written before.
    Pair p, q;
    p.first[at[i] & 1] = p.first[2] = 1;
    q = p;
    q.second[i & 3] = given.first[at[i] & 3];
    out[i] += q.first[at[i] & 1] + q.second[i & 3];
    given.second[at[i] & 3] = i;
    out[i] += given.second[at[i] & 3];
    if (i & 1) b[(at[i] + 1) & 7] = i;
    if (i % 4 == 1) out[i] += b[(at[i] + 1) & 7];
#endif
}

int main() {
    int *out, *at;
    cudaMallocManaged(&out, 64 * sizeof(int));
    cudaMallocManaged(&at, 64 * sizeof(int));
    for (int i = 0; i < 64; i++) at[i] = i, out[i] = 0;
    Pair given;
    for (int j = 0; j < 4; j++) given.first[j] = j;
    k<<<1, 64>>>(at, out, 8, given);
    cudaDeviceSynchronize();
    cudaFree(out);
    cudaFree(at);
}
