// Loops and branches become blocks with parameters; structs of scalars become scalars.
struct Pair { int a, b; };

__device__ Pair step(Pair p) {
    Pair q = {p.b, p.a % p.b};
    return q;
}

__global__ void gcd(const int *x, const int *y, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Pair p = {x[i], y[i]};
    while (p.b != 0) p = step(p);
    switch (p.a) {
    case 1: out[i] = -1; break;
    case 2:
    case 3: out[i] = 0; break;
    default: out[i] = p.a > 100 ? 100 : p.a;
    }
}
