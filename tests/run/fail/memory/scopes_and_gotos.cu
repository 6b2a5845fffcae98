// As `scopes_and_labels.c`, in kernels.
// revisions: again left fine
#include <cstdio>

__global__ void kernel(int *out) {
#if defined(REV_again)
    int n = 0;
again: {
    int x;
    if (n == 1) {
        out[0] = x > 2; //[again]~ ERROR uninitialized-read
        return;
    }
    x = 3;
    n++;
    goto again;
}
#elif defined(REV_left)
    int *p;
    {
        int x[4] = {1, 2, 3, 4};
        p = x;
        if (out) goto end;
    }
end:
    out[0] = p[1]; //[left]~ ERROR use-after-free
#else
    int *p = out;
    for (int i = 0; i < 3; i++) {
        int x[4] = {1, 2, 3, 4};
        p = x;
        if (i == 1) goto end;
        p[i] = i;
    next:
        x[2] = i;
        if (x[0] == 5) goto next;
    }
end:
    out[0] = 4;
#endif
}

int main() {
    int *out;
    cudaMallocManaged(&out, sizeof *out);
    *out = 0;
    kernel<<<1, 1>>>(out);
    cudaDeviceSynchronize();
    std::printf("%d\n", *out);
    cudaFree(out);
}
