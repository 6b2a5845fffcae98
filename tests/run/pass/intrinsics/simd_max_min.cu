// Maxima and minima of three operands, of sums, with ReLU and with the sign of the choice, in words and in halfwords: each
// function on the device against its meaning on the host.
#include <cstdio>

const int TRIES = 1024;

__host__ __device__ unsigned int operand(unsigned int i, unsigned int salt) {
    const unsigned int halves[8] = {0x0000, 0x0001, 0x7fff, 0x8000, 0x8001, 0xffff, 0x00ff, 0x4000};
    if (i < 512)
        return halves[(salt == 1 ? i : salt == 2 ? i / 8 : i / 64) % 8] << 16 | halves[(i + salt * (i / 8)) % 8];
    unsigned int x = i * 2654435761u + salt * 40503u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return i % 3 == 0 ? (unsigned int)((int)x >> 16) : x;
}

long long most(long long a, long long b) { return a > b ? a : b; }
long long least(long long a, long long b) { return a < b ? a : b; }

// name without the elements, what it computes of x, y, z (exact; `sum` wraps to the element's width)
#define SIGNED(F)                                                                                      \
    F(vimax3, most(most(x, y), z))                                                                     \
    F(vimin3, least(least(x, y), z))                                                                   \
    F(viaddmax, most(sum, z))                                                                          \
    F(viaddmin, least(sum, z))
#define RELU3(F)                                                                                       \
    F(vimax3, most(most(most(x, y), z), 0))                                                            \
    F(vimin3, most(least(least(x, y), z), 0))                                                          \
    F(viaddmax, most(most(sum, z), 0))                                                                 \
    F(viaddmin, most(least(sum, z), 0))
#define RELU2(F)                                                                                       \
    F(vimax, most(most(x, y), 0))                                                                      \
    F(vimin, most(least(x, y), 0))

enum Function {
#define PLAIN(f, e) f##_s32, f##_s16x2, f##_u32, f##_u16x2,
#define RELU(f, e) f##_s32_relu, f##_s16x2_relu,
    SIGNED(PLAIN) RELU3(RELU) RELU2(RELU)
#undef PLAIN
#undef RELU
        FUNCTIONS
};
enum Choice { max_s32, max_u32, min_s32, min_u32, max_s16x2, max_u16x2, min_s16x2, min_u16x2, CHOICES };

__global__ void device(unsigned int* out, unsigned int* chosen) {
    unsigned int i = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned int a = operand(i, 1), b = operand(i, 2), c = operand(i, 3);
#define PLAIN(f, e)                                                                                    \
    out[f##_s32 * TRIES + i] = (unsigned int)__##f##_s32((int)a, (int)b, (int)c);                      \
    out[f##_s16x2 * TRIES + i] = __##f##_s16x2(a, b, c);                                               \
    out[f##_u32 * TRIES + i] = __##f##_u32(a, b, c);                                                   \
    out[f##_u16x2 * TRIES + i] = __##f##_u16x2(a, b, c);
#define RELU(f, e)                                                                                     \
    out[f##_s32_relu * TRIES + i] = (unsigned int)__##f##_s32_relu((int)a, (int)b, (int)c);            \
    out[f##_s16x2_relu * TRIES + i] = __##f##_s16x2_relu(a, b, c);
#define TWO(f, e)                                                                                      \
    out[f##_s32_relu * TRIES + i] = (unsigned int)__##f##_s32_relu((int)a, (int)b);                    \
    out[f##_s16x2_relu * TRIES + i] = __##f##_s16x2_relu(a, b);
    SIGNED(PLAIN) RELU3(RELU) RELU2(TWO)
#undef PLAIN
#undef RELU
#undef TWO
    bool p, hi, lo;
    unsigned int* r = chosen + i * 2 * CHOICES;
    r[0] = (unsigned int)__vibmax_s32((int)a, (int)b, &p), r[1] = p;
    r[2] = __vibmax_u32(a, b, &p), r[3] = p;
    r[4] = (unsigned int)__vibmin_s32((int)a, (int)b, &p), r[5] = p;
    r[6] = __vibmin_u32(a, b, &p), r[7] = p;
    r[8] = __vibmax_s16x2(a, b, &hi, &lo), r[9] = hi * 2u + lo;
    r[10] = __vibmax_u16x2(a, b, &hi, &lo), r[11] = hi * 2u + lo;
    r[12] = __vibmin_s16x2(a, b, &hi, &lo), r[13] = hi * 2u + lo;
    r[14] = __vibmin_u16x2(a, b, &hi, &lo), r[15] = hi * 2u + lo;
}

// One element: 32 bits or 16, signed or not.
long long element(unsigned int word, int bits, bool sign) {
    if (bits == 32)
        return sign ? (long long)(int)word : (long long)word;
    return sign ? (long long)(short)word : (long long)(unsigned short)word;
}

unsigned int meaning(int f, int bits, bool sign, bool relu, unsigned int a, unsigned int b, unsigned int c) {
    long long x = element(a, bits, sign), y = element(b, bits, sign), z = element(c, bits, sign);
    long long sum = element((unsigned int)(x + y), bits, sign), r = 0;
    switch (f) {
#define PLAIN(f, e)                                                                                    \
    case f##_s32: r = relu ? r : e; break;
        SIGNED(PLAIN)
#undef PLAIN
#define RELU(f, e)                                                                                     \
    case f##_s32_relu: r = e; break;
        RELU3(RELU) RELU2(RELU)
#undef RELU
    }
    return (unsigned int)r & (bits == 32 ? 0xffffffffu : 0xffffu);
}
unsigned int expected(int f, unsigned int a, unsigned int b, unsigned int c) {
    bool relu = f >= vimax3_s32_relu;
    int base = relu ? f - (f - vimax3_s32_relu) % 2 : f / 4 * 4;
    bool sign = relu || f % 4 < 2;
    if ((f - base) % 2 == 0)
        return meaning(base, 32, sign, relu, a, b, c);
    return meaning(base, 16, sign, relu, a, b, c) | meaning(base, 16, sign, relu, a >> 16, b >> 16, c >> 16) << 16;
}

// The operand taken, and whether it is the first: which it is of equal ones.
unsigned int choose(bool max, int bits, bool sign, unsigned int a, unsigned int b, bool& first) {
    long long x = element(a, bits, sign), y = element(b, bits, sign);
    first = max ? x >= y : x <= y;
    return (first ? a : b) & (bits == 32 ? 0xffffffffu : 0xffffu);
}

int main() {
    const char* names[] = {
#define PLAIN(f, e) "__" #f "_s32", "__" #f "_s16x2", "__" #f "_u32", "__" #f "_u16x2",
#define RELU(f, e) "__" #f "_s32_relu", "__" #f "_s16x2_relu",
        SIGNED(PLAIN) RELU3(RELU) RELU2(RELU)
#undef PLAIN
#undef RELU
    };
    const char* choices[] = {"__vibmax_s32",   "__vibmax_u32",   "__vibmin_s32",   "__vibmin_u32",
                             "__vibmax_s16x2", "__vibmax_u16x2", "__vibmin_s16x2", "__vibmin_u16x2"};
    unsigned int *out, *chosen;
    cudaMallocManaged(&out, FUNCTIONS * TRIES * sizeof *out);
    cudaMallocManaged(&chosen, 2 * CHOICES * TRIES * sizeof *chosen);
    device<<<TRIES / 128, 128>>>(out, chosen);
    cudaDeviceSynchronize();
    for (int f = 0; f < FUNCTIONS + CHOICES; f++) {
        unsigned int digest = 2166136261u, wrong = 0;
        const char* name = f < FUNCTIONS ? names[f] : choices[f - FUNCTIONS];
        for (unsigned int i = 0; i < TRIES; i++) {
            unsigned int a = operand(i, 1), b = operand(i, 2), c = operand(i, 3), got, right, flags = 0;
            if (f < FUNCTIONS) {
                got = out[f * TRIES + i];
                right = expected(f, a, b, c);
            } else {
                int g = f - FUNCTIONS;
                unsigned int which = chosen[i * 2 * CHOICES + 2 * g + 1];
                got = chosen[i * 2 * CHOICES + 2 * g];
                digest = (digest ^ which) * 16777619u;
                bool max = g % 4 < 2, sign = g % 2 == 0, hi = false, lo;
                if (g < max_s16x2) {
                    right = choose(max, 32, sign, a, b, lo);
                } else {
                    right = choose(max, 16, sign, a, b, lo);
                    right |= choose(max, 16, sign, a >> 16, b >> 16, hi) << 16;
                }
                flags = which != hi * 2u + lo;
            }
            digest = (digest ^ got) * 16777619u;
            if ((got != right || flags) && wrong++ == 0)
                printf("%s(%08x, %08x, %08x) = %08x, not %08x%s\n", name, a, b, c, got, right, flags ? ", flags" : "");
        }
        printf("%-24s %08x%s", name, digest, f % 3 == 2 ? "\n" : "  ");
    }
    cudaFree(out);
    cudaFree(chosen);
}
