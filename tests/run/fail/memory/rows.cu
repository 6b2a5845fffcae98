// Indices that leave their row, or an array that is a member, and stay in the object.
// revisions: shared negative device member host reference fine
#include <cstdio>
#include <cstring>

struct Pair {
    int a[4];
    int b[4];
};
struct Tail {
    int n;
    int data[1];
};
__device__ int table[6][7];

__device__ int first(const int (&row)[7], int i) {
    return row[i]; //[reference]~ ERROR out-of-bounds: index 8 is outside its array of 7 elements
}

__global__ void k(int* out, int z) {
    __shared__ int tile[8][9];
    int t = threadIdx.x;
    for (int i = t; i < 72; i += 32) tile[i / 9][i % 9] = i;
    __syncthreads();
    int v = 0;
#if defined(REV_shared)
    if (t < 8) v = tile[t % 7][t + 2]; //[shared]~ ERROR out-of-bounds: index 9 is outside its array of 9 elements
#elif defined(REV_negative)
    v = tile[1][z - 1]; //[negative]~ ERROR out-of-bounds: index -1 is outside its array of 9 elements
#elif defined(REV_device)
    v = table[2][7 + z]; //[device]~ ERROR out-of-bounds: index 7 is outside its array of 7 elements
#elif defined(REV_member)
    Pair p;
    for (int i = 0; i < 4; i++) p.a[i] = p.b[i] = i;
    v = p.a[4 + z]; //[member]~ ERROR out-of-bounds: index 4 is outside its array of 4 elements
#elif defined(REV_reference)
    v = first(table[1], 8 + z);
#else
    // The whole of it through a pointer to its first element; addresses one past the end; whole arrays.
    int* flat = &tile[0][0];
    v = flat[t + 32];
    int local[4][4];
    int n = 0;
    for (int* p = local[0]; p != &local[3][4 + z]; ++p) *p = n++;
    for (const int* p = &local[1][z]; p != &(local[1][4 + z]); ++p) v += *p;
    for (int (*row)[4] = local; row != &local[4 + z]; ++row) v += (*row)[t & 3];
    Pair p;
    for (int i = 0; i < 4; i++) p.a[i] = p.b[3 - i] = i;
    for (int y = 3; y >= 0; y--)
        for (unsigned x = 0; x < 4; x++) v += local[y][x] + p.a[(x + t) % 4];
    Tail* tail = (Tail*)(out + 64);
    if (t == 0) tail->data[3 + z] = v;
    v += first(table[5], 6);
#endif
    out[t] = v;
}

static int total(int m[3][4], int rows, int columns) {
    int sum = 0;
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++)
            sum += m[i][j]; //[host]~ ERROR out-of-bounds: index 4 is outside its array of 4 elements
    return sum;
}

int main(int argc, char**) {
    int* d;
    cudaMalloc(&d, 128 * sizeof(int));
    k<<<1, 32>>>(d, argc - 1);
    cudaDeviceSynchronize();
    cudaFree(d);
    int m[3][4];
    memset(m, 0, sizeof m);
#ifdef REV_host
    printf("%d\n", total(m, 2, 5));
#else
    printf("%d\n", total(m, 3, 4));
#endif
    return 0;
}
