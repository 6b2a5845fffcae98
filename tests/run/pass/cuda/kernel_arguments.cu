// What kernels can be given: structs by value, many arguments, pointers to pointers, const, characters, bool.
#include <stdio.h>

struct Config { int rows, cols; float scale; char name[4]; struct { double d; } nested; };

__global__ void take(Config c, char ch, bool flag, short s, long long ll, double d, const int *in, int **rows,
                     unsigned char uc, int *out) {
    Config mine = c;
    mine.rows += 1;
    c.cols *= 2;
    out[0] = mine.rows * 1000 + c.cols * 10 + c.name[1] - 'a';
    out[1] = ch + flag + s;
    out[2] = (int)(ll >> 32) + (int)(d * 4) + uc;
    out[3] = in[2] + rows[1][0] + (int)(c.scale * 2 + c.nested.d);
}

__global__ void no_arguments() {}

int main() {
    Config c = {3, 4, 1.5f, "ab", {0.25}};
    int host[4] = {10, 20, 30, 40}, *in, *out, *rows[2], **dev_rows;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMalloc(&dev_rows, sizeof rows);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    rows[0] = in;
    rows[1] = in + 3;
    cudaMemcpy(dev_rows, rows, sizeof rows, cudaMemcpyHostToDevice);
    take<<<1, 1>>>(c, 'A', true, -3, 5LL << 32, 2.75, in, dev_rows, 250, out);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    printf("%d %d %d %d\n", host[0], host[1], host[2], host[3]);
    void (*kernel)() = no_arguments;
    kernel<<<1, 1>>>();
    printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
    cudaFree(in);
    cudaFree(out);
    cudaFree(dev_rows);
    return 0;
}
