// Products of matrices by warps: each type, shape and layout against sums by hand.
#include <cstdio>
#include <mma.h>
#include <type_traits>

using namespace nvcuda;

// A is row-major M x K, B is column-major or row-major, by LB.
template <int M, int N, int K, class T, class E, class C, class LA, class LB>
__global__ void multiply(const E* a, const E* b, C* d, wmma::layout_t layout) {
    wmma::fragment<wmma::matrix_a, M, N, K, T, LA> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, LB> fb;
    wmma::fragment<wmma::accumulator, M, N, K, C> sum;
    const bool rows_a = std::is_same<LA, wmma::row_major>::value;
    const bool rows_b = std::is_same<LB, wmma::row_major>::value;
    wmma::fill_fragment(sum, 1.0f);
    wmma::load_matrix_sync(fa, a, rows_a ? K : M);
    wmma::load_matrix_sync(fb, b, rows_b ? N : K);
    wmma::mma_sync(sum, fa, fb, sum);
    wmma::mma_sync(sum, fa, fb, sum);
    for (int i = 0; i < sum.num_elements; i++)
        sum.x[i] = sum.x[i] + sum.x[i];
    wmma::store_matrix_sync(d, sum, layout == wmma::mem_row_major ? N : M, layout);
}

template <int M, int N, int K, class T, class E, class C, class LA, class LB> void test(const char* name) {
    static E a[M * K], b[K * N];
    static C d[M * N];
    const bool rows_a = std::is_same<LA, wmma::row_major>::value, rows_b = std::is_same<LB, wmma::row_major>::value;
    for (int i = 0; i < M * K; i++)
        a[i] = (E)(float)(i % 7);
    for (int i = 0; i < K * N; i++)
        b[i] = (E)(float)(i % 5);
    E *da, *db;
    C* dd;
    cudaMalloc(&da, sizeof a);
    cudaMalloc(&db, sizeof b);
    cudaMalloc(&dd, sizeof d);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    int wrong = 0;
    for (int by_rows = 0; by_rows < 2; by_rows++) {
        multiply<M, N, K, T, E, C, LA, LB>
            <<<1, 32>>>(da, db, dd, by_rows ? wmma::mem_row_major : wmma::mem_col_major);
        cudaMemcpy(d, dd, sizeof d, cudaMemcpyDeviceToHost);
        for (int r = 0; r < M; r++)
            for (int c = 0; c < N; c++) {
                double sum = 0;
                for (int k = 0; k < K; k++)
                    sum += (double)(float)a[rows_a ? r * K + k : k * M + r] *
                           (double)(float)b[rows_b ? k * N + c : c * K + k];
                wrong += (double)(float)d[by_rows ? r * N + c : c * M + r] != 2 * (1 + 2 * sum);
            }
    }
    printf("%s: %d wrong\n", name, wrong);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dd);
}

typedef wmma::row_major R;
typedef wmma::col_major L;

int main() {
    test<16, 16, 16, half, half, float, R, L>("half, float");
    test<16, 16, 16, half, half, float, L, R>("half, float, other layouts");
    test<32, 8, 16, half, half, float, R, R>("half, 32 x 8");
    test<8, 32, 16, half, half, half, L, L>("half, half, 8 x 32");
    test<16, 16, 16, __nv_bfloat16, __nv_bfloat16, float, R, L>("bfloat16");
    test<16, 16, 8, wmma::precision::tf32, float, float, R, L>("tf32");
    test<8, 8, 4, double, double, double, R, L>("double");
    test<16, 16, 16, signed char, signed char, int, R, L>("int8");
    test<16, 16, 16, unsigned char, unsigned char, int, R, R>("uint8");
}
