// Two halfwords or four bytes in a word: each function on the device against its meaning, lane by lane, on the host.
#include <cstdio>

// Operands: all pairs of extreme lanes in turn, then whatever comes.
const int TRIES = 1024;

__host__ __device__ unsigned int operand(unsigned int i, unsigned int salt) {
    const unsigned int lanes[8] = {0x00, 0x01, 0x7f, 0x80, 0x81, 0xff, 0xfe, 0x40};
    if (i < 512) {
        unsigned int k = salt & 1 ? i / 8 : i;
        return lanes[k % 8] << 24 | lanes[(k / 8) % 8] << 16 | lanes[(k + salt) % 8] << 8 | lanes[(k / 8 + salt / 2) % 8];
    }
    unsigned int x = i * 2654435761u + salt * 40503u;
    x ^= x >> 15;
    x *= 2246822519u;
    return x ^ x >> 13;
}

// A lane of `bits` bits, widened.
__host__ int lane(unsigned int word, int k, int bits, bool sign) {
    unsigned int x = word >> k * bits & ((1u << bits) - 1);
    return sign && x >> (bits - 1) ? (int)x - (1 << bits) : (int)x;
}
__host__ int clamp(int x, int bits, bool sign) {
    int most = sign ? (1 << (bits - 1)) - 1 : (1 << bits) - 1, least = sign ? -(1 << (bits - 1)) : 0;
    return x < least ? least : x > most ? most : x;
}

// name, whether lanes are signed, a lane's result from the lanes x and y of `bits` bits
#define LANES(F)                                                                                       \
    F(vadd, false, x + y)                                                                              \
    F(vaddss, true, clamp(x + y, bits, true))                                                          \
    F(vaddus, false, clamp(x + y, bits, false))                                                        \
    F(vsub, false, x - y)                                                                              \
    F(vsubss, true, clamp(x - y, bits, true))                                                          \
    F(vsubus, false, clamp(x - y, bits, false))                                                        \
    F(vavgs, true, x + y >= 0 ? (x + y + 1) / 2 : -((1 - x - y) / 2))                                  \
    F(vavgu, false, (x + y + 1) / 2)                                                                   \
    F(vhaddu, false, (x + y) / 2)                                                                      \
    F(vabsdiffu, false, x > y ? x - y : y - x)                                                         \
    F(vabsdiffs, true, x > y ? x - y : y - x)                                                          \
    F(vmaxs, true, x > y ? x : y)                                                                      \
    F(vmaxu, false, x > y ? x : y)                                                                     \
    F(vmins, true, x < y ? x : y)                                                                      \
    F(vminu, false, x < y ? x : y)                                                                     \
    F(vcmpeq, false, x == y ? -1 : 0)                                                                  \
    F(vcmpne, false, x != y ? -1 : 0)                                                                  \
    F(vcmpges, true, x >= y ? -1 : 0)                                                                  \
    F(vcmpgeu, false, x >= y ? -1 : 0)                                                                 \
    F(vcmpgts, true, x > y ? -1 : 0)                                                                   \
    F(vcmpgtu, false, x > y ? -1 : 0)                                                                  \
    F(vcmples, true, x <= y ? -1 : 0)                                                                  \
    F(vcmpleu, false, x <= y ? -1 : 0)                                                                 \
    F(vcmplts, true, x < y ? -1 : 0)                                                                   \
    F(vcmpltu, false, x < y ? -1 : 0)                                                                  \
    F(vseteq, false, x == y)                                                                           \
    F(vsetne, false, x != y)                                                                           \
    F(vsetges, true, x >= y)                                                                           \
    F(vsetgeu, false, x >= y)                                                                          \
    F(vsetgts, true, x > y)                                                                            \
    F(vsetgtu, false, x > y)                                                                           \
    F(vsetles, true, x <= y)                                                                           \
    F(vsetleu, false, x <= y)                                                                          \
    F(vsetlts, true, x < y)                                                                            \
    F(vsetltu, false, x < y)
// the same of one operand
#define LANES1(F)                                                                                      \
    F(vabs, true, x < 0 ? -x : x)                                                                      \
    F(vabsss, true, clamp(x < 0 ? -x : x, bits, true))                                                 \
    F(vneg, true, -x)                                                                                  \
    F(vnegss, true, clamp(-x, bits, true))
// sums over all lanes
#define SUMS(F)                                                                                        \
    F(vsads, true, x > y ? x - y : y - x)                                                              \
    F(vsadu, false, x > y ? x - y : y - x)

enum Function {
#define NAME(f, s, e) f##2, f##4,
    LANES(NAME) LANES1(NAME) SUMS(NAME)
#undef NAME
        FUNCTIONS
};

__global__ void device(unsigned int* out) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int a = operand(i, 2), b = operand(i, 3);
#define TWO(f, s, e)                                                                                   \
    out[f##2 * TRIES + i] = __##f##2(a, b);                                                            \
    out[f##4 * TRIES + i] = __##f##4(a, b);
#define ONE(f, s, e)                                                                                   \
    out[f##2 * TRIES + i] = __##f##2(a);                                                               \
    out[f##4 * TRIES + i] = __##f##4(a);
    LANES(TWO) LANES1(ONE) SUMS(TWO)
#undef TWO
#undef ONE
}

unsigned int meaning(int f, unsigned int a, unsigned int b) {
    unsigned int word = 0;
    const int bits = f % 2 ? 8 : 16;
    switch (f / 2 * 2) {
#define CASE(f, s, e)                                                                                  \
    case f##2:                                                                                         \
        for (int k = 0; k < 32 / bits; k++) {                                                          \
            int x = lane(a, k, bits, s), y = lane(b, k, bits, s);                                      \
            (void)y;                                                                                   \
            word |= ((unsigned int)(e) & ((1u << bits) - 1)) << k * bits;                              \
        }                                                                                              \
        break;
#define SUM(f, s, e)                                                                                   \
    case f##2:                                                                                         \
        for (int k = 0; k < 32 / bits; k++) {                                                          \
            int x = lane(a, k, bits, s), y = lane(b, k, bits, s);                                      \
            word += (unsigned int)(e);                                                                 \
        }                                                                                              \
        break;
        LANES(CASE) LANES1(CASE) SUMS(SUM)
#undef CASE
#undef SUM
    }
    return word;
}

int main() {
    const char* names[] = {
#define NAME(f, s, e) "__" #f "2", "__" #f "4",
        LANES(NAME) LANES1(NAME) SUMS(NAME)
#undef NAME
    };
    unsigned int* out;
    cudaMallocManaged(&out, FUNCTIONS * TRIES * sizeof *out);
    device<<<TRIES / 128, 128>>>(out);
    cudaDeviceSynchronize();
    for (int f = 0; f < FUNCTIONS; f++) {
        unsigned int digest = 2166136261u, wrong = 0;
        for (unsigned int i = 0; i < TRIES; i++) {
            unsigned int got = out[f * TRIES + i], a = operand(i, 2), b = operand(i, 3);
            digest = (digest ^ got) * 16777619u;
            unsigned int expected = meaning(f, a, b);
            if (got != expected && wrong++ == 0)
                printf("%s(%08x, %08x) = %08x, not %08x\n", names[f], a, b, got, expected);
        }
        printf("%-14s %08x%s", names[f], digest, f % 3 == 2 ? "\n" : "  ");
    }
    printf("\n");
    cudaFree(out);
}
