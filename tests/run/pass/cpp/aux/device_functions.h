__device__ int plain(int x);
namespace inner {
__host__ __device__ int both(int x);
}
extern "C" __device__ int in_c(int x);
struct Counter {
    int n;
    __device__ Counter(int n);
    __device__ int next();
};
__device__ int here(int x);
void elsewhere(const int *in, int *out);
__global__ void other(const int *in, int *out);
