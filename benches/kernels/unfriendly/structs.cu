// Arrays of structures of 12, 20 and 24 bytes, whose members each thread takes one by one.
#include <cuda_runtime.h>
#include <stdlib.h>
#include "../bench.h"

struct Point {
    float x, y, z;
};

struct Cell {
    int id;
    float mass, vx, vy, vz;
};

struct Sum {
    double value;
    long long count;
    double error;
};

#ifdef FRIENDLY
__global__ void step(float *x, float *y, float *z, int *id, const float *mass, const float *v, float *value,
    int *count, float *error)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] += v[i];
    y[i] += v[i];
    z[i] += v[i];
    id[i] += 1;
    value[i] += mass[i] * x[i];
    count[i] += 1;
    error[i] += z[i];
}
#else
__global__ void step(Point *points, Cell *cells, Sum *sums)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    points[i].x += cells[i].vx;
    points[i].y += cells[i].vy;
    points[i].z += cells[i].vz;
    cells[i].id += 1;
    sums[i].value += cells[i].mass * points[i].x;
    sums[i].count += 1;
    sums[i].error += points[i].z;
}
#endif

template <typename T>
static T *zeros(int n)
{
    T *p;
    cudaMalloc(&p, n * sizeof(T));
    cudaMemset(p, 0, n * sizeof(T));
    return p;
}

int main()
{
    int n = 1 << 16;
#ifdef FRIENDLY
    float *x = zeros<float>(n), *y = zeros<float>(n), *z = zeros<float>(n), *mass = zeros<float>(n);
    float *v = zeros<float>(n), *value = zeros<float>(n), *error = zeros<float>(n);
    int *id = zeros<int>(n), *count = zeros<int>(n);
#else
    Point *points = zeros<Point>(n);
    Cell *cells = zeros<Cell>(n);
    Sum *sums = zeros<Sum>(n);
#endif
    bench_begin();
    for (int round = 0; round < 4; round++)
#ifdef FRIENDLY
        step<<<n / 256, 256>>>(x, y, z, id, mass, v, value, count, error);
#else
        step<<<n / 256, 256>>>(points, cells, sums);
#endif
    cudaDeviceSynchronize();
    bench_end();
    bench_work(4.0 * n * 35);
#ifdef FRIENDLY
    int last;
    cudaMemcpy(&last, count + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("structs %d\n", last);
#else
    Sum last;
    cudaMemcpy(&last, sums + n - 1, sizeof last, cudaMemcpyDeviceToHost);
    printf("structs %lld\n", last.count);
#endif
    return 0;
}
