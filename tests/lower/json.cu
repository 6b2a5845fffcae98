// A kernel as JSON.
// flags: --emit json --function loop
__global__ void loop(int *p, int n) {
    int sum = 0;
    for (int i = 0; i < n; ++i) {
        if (i % 3 == 0) continue;
        sum += p[i];
    }
    p[threadIdx.x] = sum;
}
