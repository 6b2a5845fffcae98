// Reports of undefined arithmetic give the operands, also where the result has been written over one of them.
#include <stdio.h>

__global__ void sums(int *v, int n) {
    int t = threadIdx.x, x = v[t];
    x += n; //~ WARNING undefined-behavior: overflow
    x += x; //~ WARNING undefined-behavior: overflow
    v[t] = x;
}

__global__ void products(int *v, long long *w, int n) {
    int t = threadIdx.x, x = v[t];
    x *= n; //~ WARNING undefined-behavior: overflow
    v[t] = x;
    long long y = w[t];
    y = y * y; //~ WARNING undefined-behavior: overflow
    w[t] = y;
}

__global__ void shifts(int *v, unsigned *w) {
    int t = threadIdx.x, x = t + 1;
    x = v[t] << x; //~ ERROR undefined-behavior: shift
    v[t] = x;
    w[t] >>= 40 - t; //~ ERROR undefined-behavior: shift
}

__global__ void remainder(int *v) {
    int t = threadIdx.x, x = 100 + t;
    x %= v[t]; //~ ERROR undefined-behavior: division by zero
    v[t] = x;
}

int main(int argc, char **) {
    int h[32], *v;
    long long g[32], *w;
    for (int i = 0; i < 32; i++) {
        h[i] = i < 7 ? i : 2000000000;
        g[i] = i < 9 ? i : 1LL << 32;
    }
    cudaMalloc(&v, sizeof(h));
    cudaMalloc(&w, sizeof(g));
    cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemcpy(w, g, sizeof(g), cudaMemcpyHostToDevice);
    sums<<<1, 32>>>(v, 200000000);
    cudaMemcpy(v, h, sizeof(h), cudaMemcpyHostToDevice);
    products<<<1, 32>>>(v, w, 3);
    shifts<<<1, 32>>>(v, (unsigned *)w);
    cudaMemcpy(h, v, sizeof(h), cudaMemcpyDeviceToHost);
    printf("%d\n", h[1]);
    float f = 3e9f * (float)argc;
    int i = (int)f; //~ ERROR undefined-behavior: floating value
    i = 5 >> (argc - 3); //~ ERROR undefined-behavior: shift
    int least = -2147483647 - argc;
    i = -least; //~ WARNING undefined-behavior: overflow
    if (argc > 1) i = least / -argc;
    cudaMemset(v, 0, sizeof(h));
    remainder<<<1, 32>>>(v);
    (void)cudaDeviceSynchronize();
    cudaFree(v);
    cudaFree(w);
    return i == 1;
}
