// What the analyses know of values and blocks: uniformity with its cause, ranges, objects, phases, loops.
// flags: --emit facts
__shared__ int box[64];

__global__ void k(int *out, const int *in, int n) {
    int t = threadIdx.x;
    box[t & 63] = in[t];
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < n; i++) sum += box[i & 63];
    if (t < n) out[t] = sum;
}

int main() { return 0; }
