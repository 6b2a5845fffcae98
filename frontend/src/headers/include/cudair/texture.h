/* Texture and surface functions. An object is the address of a description, and its texels are the bytes of an array
   or of linear memory: reads and writes of them are what they are of any memory. */
#ifndef CUDAIR_TEXTURE_H
#define CUDAIR_TEXTURE_H

struct __cudair_texture {
    char* data;
    unsigned long long pitch, slice;
    /* In elements; of a dimension that is missing 1. */
    unsigned int width, height, depth;
    /* 0 linear memory, else the number of dimensions; 0x10 layered, 0x20 a cube's faces. */
    unsigned int shape;
    /* Of each channel, how many, and what they hold: signed, unsigned, floating numbers. */
    unsigned int bits, channels, kind;
    int address[3], filter, read, srgb;
    float border[4];
    int normalized, anisotropy;
    /* Of a mipmapped array: how levels are mixed, what is added to the one asked for, its bounds, how many there are. */
    int between;
    float bias, lowest, highest;
    unsigned int levels;
};
/* The levels of a mipmapped array stand behind the description. */
struct __cudair_level {
    char* data;
    unsigned long long pitch, slice;
    unsigned int width, height, depth, unused;
};

extern "C" {
/* Ends the kernel with a finding: 0 dimensions, 1 type, 2 a surface's bounds, 3 its dimensions, 4 its alignment. */
__device__ void __cudair_texture_fault(int what);
__device__ unsigned int __float_as_uint(float x);
__device__ float __uint_as_float(unsigned int x);
}
#define __CUDAIR_T static __inline__ __device__
/* What analyses take for one operation: a read of a texture, a read or a write of a surface. */
#define __CUDAIR_TEXTURE __CUDAIR_T __attribute__((annotate("cudair.texture")))
#define __CUDAIR_SURFACE(DOES) __CUDAIR_T __attribute__((annotate("cudair.surface_" #DOES)))

__CUDAIR_T const __cudair_texture* __cudair_texture_of(unsigned long long object, unsigned int shape, int what) {
    const __cudair_texture* t = (const __cudair_texture*)object;
    if (t->shape != shape)
        __cudair_texture_fault(what);
    return t;
}

/* The channels of a type: how many, of which kind, and a value from four words. */
template <class T> struct __cudair_texel;
#define __CUDAIR_TEXEL(T, B, N, K, ...)                                                                \
    template <> struct __cudair_texel<T> {                                                             \
        typedef B base;                                                                                \
        enum { count = N, kind = K, bits = sizeof(B) * 8 };                                            \
        __CUDAIR_T T make(const unsigned int* w) {                                                     \
            T v;                                                                                       \
            __VA_ARGS__                                                                                \
            return v;                                                                                  \
        }                                                                                              \
    };
#define __CUDAIR_WORD(i) __cudair_word((base*)0, w[i])
#define __CUDAIR_TEXELS(S, B, K)                                                                       \
    __CUDAIR_TEXEL(S##1, B, 1, K, v.x = __CUDAIR_WORD(0);)                                             \
    __CUDAIR_TEXEL(S##2, B, 2, K, v.x = __CUDAIR_WORD(0); v.y = __CUDAIR_WORD(1);)                     \
    __CUDAIR_TEXEL(S##4, B, 4, K, v.x = __CUDAIR_WORD(0); v.y = __CUDAIR_WORD(1); v.z = __CUDAIR_WORD(2); \
                   v.w = __CUDAIR_WORD(3);)                                                            \
    __CUDAIR_TEXEL(B, B, 1, K, v = __CUDAIR_WORD(0);)
template <class B> __CUDAIR_T B __cudair_word(B*, unsigned int w) { return (B)w; }
__CUDAIR_T float __cudair_word(float*, unsigned int w) { return __uint_as_float(w); }
__CUDAIR_TEXELS(char, signed char, 0)
__CUDAIR_TEXEL(char, char, 1, 0, v = __CUDAIR_WORD(0);)
__CUDAIR_TEXELS(uchar, unsigned char, 1)
__CUDAIR_TEXELS(short, short, 0)
__CUDAIR_TEXELS(ushort, unsigned short, 1)
__CUDAIR_TEXELS(int, int, 0)
__CUDAIR_TEXELS(uint, unsigned int, 1)
__CUDAIR_TEXELS(float, float, 2)
__CUDAIR_TEXEL(long, int, 1, 0, v = (long)(int)w[0];)
__CUDAIR_TEXEL(unsigned long, unsigned int, 1, 1, v = (unsigned long)w[0];)
#undef __CUDAIR_TEXELS
#undef __CUDAIR_TEXEL
#undef __CUDAIR_WORD

/* Whether texels give values of the type: the same channels, or numbers made of them. */
template <class T> __CUDAIR_T void __cudair_check_type(const __cudair_texture* t) {
    typedef __cudair_texel<T> X;
    bool fits = (unsigned int)X::count <= t->channels;
    if (X::kind == 2)
        fits = fits && (t->kind == 2 || t->read == 1);
    else
        fits = fits && t->kind != 2 && t->read == 0 && (unsigned int)X::bits == t->bits;
    if (!fits)
        __cudair_texture_fault(1);
}

/* An index by the address mode; false: the border. */
__CUDAIR_T bool __cudair_address(int& i, int n, int mode, int normalized) {
    if (i >= 0 && i < n)
        return true;
    if (mode == 3)
        return false;
    if (mode == 1 || !normalized) {
        i = i < 0 ? 0 : n - 1;
    } else if (mode == 0) {
        i %= n;
        i = i < 0 ? i + n : i;
    } else {
        i %= 2 * n;
        i = i < 0 ? i + 2 * n : i;
        i = i < n ? i : 2 * n - 1 - i;
    }
    return true;
}
/* A coordinate in elements, and so near to the texture that its floor is an int. Mirrors turn indices round, not
   coordinates. Clamping ends half a texel (EDGE, of a filter) before the texture's edges. */
__CUDAIR_T float __cudair_coordinate(float x, unsigned int n, int mode, int normalized, float edge) {
    if (normalized) {
        if (mode == 0)
            x = x - floorf(x);
        else if (mode == 2)
            x = x - 2.0f * floorf(x * 0.5f);
        x = x * (float)n;
    }
    if (!(x == x))
        x = 0.0f;
    float low = -8.0f, high = (float)n + 8.0f;
    if (mode == 1 || (!normalized && mode != 3))
        low = edge, high = (float)n - edge;
    else if (mode == 2)
        high = (float)n * 2.0f;
    return x < low ? low : x > high ? high : x;
}

/* The words that hold a texel. */
__CUDAIR_T void __cudair_load(const __cudair_texture* t, const char* at, unsigned int& r0, unsigned int& r1,
                              unsigned int& r2, unsigned int& r3) {
    unsigned int size = t->bits * t->channels;
    r0 = r1 = r2 = r3 = 0;
    if (size == 8) {
        r0 = *(const unsigned char*)at;
    } else if (size == 16) {
        r0 = *(const unsigned short*)at;
    } else if (size == 32) {
        r0 = *(const unsigned int*)at;
    } else if (size == 64) {
        uint2 v = *(const uint2*)at;
        r0 = v.x, r1 = v.y;
    } else {
        uint4 v = *(const uint4*)at;
        r0 = v.x, r1 = v.y, r2 = v.z, r3 = v.w;
    }
}
/* A channel of them. */
__CUDAIR_T unsigned int __cudair_channel(const __cudair_texture* t, unsigned int r0, unsigned int r1,
                                         unsigned int r2, unsigned int r3, int c) {
    unsigned int w;
    if (t->bits == 8) {
        w = r0 >> (8 * c) & 0xffu;
        return t->kind == 0 ? (unsigned int)(int)(signed char)w : w;
    }
    if (t->bits == 16) {
        w = (c < 2 ? r0 : r1) >> (16 * (c & 1)) & 0xffffu;
        return t->kind == 0 ? (unsigned int)(int)(short)w : w;
    }
    return c == 0 ? r0 : c == 1 ? r1 : c == 2 ? r2 : r3;
}
__CUDAIR_T bool __cudair_is_srgb(const __cudair_texture* t, int c) {
    return t->srgb && t->bits == 8 && t->kind == 1 && c < 3;
}
/* A byte of sRGB is eight bits of a number, whose last bit counts 2^-unit: 2^-14 to 2^-7. */
__CUDAIR_T int __cudair_srgb(unsigned int w, int& unit) {
    unit = 14 - (w >= 32) - (w >= 48) - (w >= 64) - (w >= 96) - (w >= 136) - (w >= 184) - (w >= 248);
    float f = (float)w / 255.0f;
    f = f <= 0.04045f ? f / 12.92f : powf((f + 0.055f) / 1.055f, 2.4f);
    return (int)floorf(f * (float)(1 << unit) + 0.5f);
}
/* The words of a texel's channels; numbers where the type asks for them. */
template <class T> __CUDAIR_T void __cudair_channels_at(const __cudair_texture* t, const char* at, unsigned int* out) {
    unsigned int r0, r1, r2, r3;
    __cudair_load(t, at, r0, r1, r2, r3);
    for (int c = 0; c < __cudair_texel<T>::count; c++) {
        unsigned int w = __cudair_channel(t, r0, r1, r2, r3, c);
        if (__cudair_texel<T>::kind == 2) {
            if (t->kind != 2) {
                bool is_signed = t->kind == 0;
                float most = t->bits == 8 ? (is_signed ? 127.0f : 255.0f) : (is_signed ? 32767.0f : 65535.0f);
                float f = is_signed ? (float)(int)w / most : (float)w / most;
                if (__cudair_is_srgb(t, c)) {
                    int unit, bits = __cudair_srgb(w, unit);
                    f = (float)bits / (float)(1 << unit);
                }
                w = __float_as_uint(f < -1.0f ? -1.0f : f);
            } else if (t->bits == 16) {
                unsigned int sign = (w & 0x8000u) << 16, rest = w & 0x7fffu;
                /* A half's exponent is 112 below that of a float; those of the ends are not. */
                if (rest >= 0x7c00u)
                    w = sign | 0x7f800000u | rest << 13;
                else if (rest < 0x400u)
                    w = sign | __float_as_uint((float)rest * 0x1p-24f);
                else
                    w = sign | ((rest << 13) + (112u << 23));
            }
        }
        out[c] = w;
    }
}
/* Where a texel is by its indices, after the address modes; null: the border. */
__CUDAIR_T const char* __cudair_texel_place(const __cudair_texture* t, const char* base, int i, int j, int k, int dims) {
    bool inside = __cudair_address(i, (int)t->width, t->address[0], t->normalized);
    if (dims > 1)
        inside = __cudair_address(j, (int)t->height, t->address[1], t->normalized) && inside;
    else if (j != 0)
        inside = false, j = 0;
    if (dims > 2)
        inside = __cudair_address(k, (int)t->depth, t->address[2], t->normalized) && inside;
    if (!inside)
        return 0;
    unsigned int size = t->bits / 8 * t->channels;
    return base + k * t->slice + j * t->pitch + (unsigned long long)i * size;
}
template <class T>
__CUDAIR_T void __cudair_texel_at(const __cudair_texture* t, const char* base, int i, int j, int k, int dims,
                                  unsigned int* out) {
    const char* at = __cudair_texel_place(t, base, i, j, k, dims);
    if (at) {
        __cudair_channels_at<T>(t, at, out);
        return;
    }
    for (int c = 0; c < __cudair_texel<T>::count; c++) {
        float b = t->border[c];
        out[c] = __cudair_texel<T>::kind == 2 ? __float_as_uint(b)
                 : __cudair_texel<T>::kind == 0 ? (unsigned int)(int)b
                                                : (unsigned int)b;
    }
}

/* What a fetch gives: the words of one texel, or a sum of texels by weights that are 256 together. Floats are summed
   as floats. Integers that are read as numbers are summed as integers: those of eight bits without a sign as 257 times
   them. Colours are aligned to the coarsest unit among them, which a first pass finds. */
struct __cudair_sum {
    unsigned int words[4];
    float floats[4];
    int integers[4], unit[4];
    /* What the level's texels weigh together; whether units are looked for, and whether the words are the result. */
    int weight, pass;
    bool plain;
};
template <class T>
__CUDAIR_T void __cudair_add(const __cudair_texture* t, const char* base, int i, int j, int k, int dims, int weight,
                             __cudair_sum& s) {
    if (t->kind == 2) {
        unsigned int out[4];
        __cudair_texel_at<T>(t, base, i, j, k, dims, out);
        for (int c = 0; c < __cudair_texel<T>::count; c++)
            s.floats[c] += (float)weight / 256.0f * __uint_as_float(out[c]);
        return;
    }
    const char* at = __cudair_texel_place(t, base, i, j, k, dims);
    unsigned int r0 = 0, r1 = 0, r2 = 0, r3 = 0;
    if (at)
        __cudair_load(t, at, r0, r1, r2, r3);
    int most = t->kind == 0 ? (t->bits == 8 ? 127 : 32767) : (t->bits == 8 ? 255 : 65535);
    for (int c = 0; c < __cudair_texel<T>::count; c++) {
        int v;
        if (at) {
            v = (int)__cudair_channel(t, r0, r1, r2, r3, c);
            v = v < -most ? -most : v;
        } else {
            float b = t->border[c], low = t->kind == 0 ? -1.0f : 0.0f;
            b = b > low ? b < 1.0f ? b : 1.0f : low;
            v = (int)floorf(b * (float)most + 0.5f);
        }
        if (__cudair_is_srgb(t, c)) {
            int unit;
            v = __cudair_srgb((unsigned int)v, unit);
            if (s.pass == 0)
                s.unit[c] = unit < s.unit[c] ? unit : s.unit[c];
            else
                s.integers[c] += weight * (v >> (unit - s.unit[c]));
        } else if (s.pass == 1) {
            s.integers[c] += weight * (most == 255 ? v * 257 : v);
        }
    }
}
/* The place of a filter's first texel, and what the next one weighs in 256ths. */
__CUDAIR_T int __cudair_first(float x, int& part) {
    x -= 0.5f;
    int i = (int)floorf(x);
    part = (int)floorf((x - (float)i) * 256.0f + 0.5f);
    i += part >> 8;
    part &= 255;
    return i;
}
/* A sample of a level: the texel around it, or those next to it by their weights. The level's weight is split in z,
   then in x, then in y; each part is rounded to a 256th, and its half goes to where x and y are on the same side. */
template <class T>
__CUDAIR_T void __cudair_sample(const __cudair_texture* t, const char* base, float x, float y, float z, int dims,
                                __cudair_sum& s) {
    __cudair_check_type<T>(t);
    bool point = __cudair_texel<T>::kind != 2 || t->filter == 0;
    float edge = point ? 0.0f : 0.5f;
    x = __cudair_coordinate(x, t->width, t->address[0], t->normalized, edge);
    y = dims > 1 ? __cudair_coordinate(y, t->height, t->address[1], t->normalized, edge) : 0.0f;
    z = dims > 2 ? __cudair_coordinate(z, t->depth, t->address[2], t->normalized, edge) : 0.0f;
    if (point) {
        int i = (int)floorf(x), j = (int)floorf(y), k = (int)floorf(z);
        if (s.plain)
            __cudair_texel_at<T>(t, base, i, j, k, dims, s.words);
        else
            __cudair_add<T>(t, base, i, j, k, dims, s.weight, s);
        return;
    }
    int a, b = 0, g = 0, j = 0, k = 0, i = __cudair_first(x, a), corners = 1 << dims;
    /* One dimension is a plane of one row, sampled at its upper edge: half of it is the border. */
    if (dims < 2 && t->address[1] == 3)
        corners = 4;
    if (corners > 2)
        j = __cudair_first(y, b);
    if (dims > 2)
        k = __cudair_first(z, g);
    for (int corner = 0; corner < corners; corner++) {
        int right = corner & 1, down = corner >> 1 & 1, behind = corner >> 2;
        int weight = s.weight, part;
        if (dims > 2) {
            part = (weight * g + 128) >> 8;
            weight = behind ? part : weight - part;
        }
        part = (weight * a + 128) >> 8;
        weight = right ? part : weight - part;
        part = (weight * b + (right ? 128 : 127)) >> 8;
        weight = down ? part : weight - part;
        /* What has no weight is not read: of an infinity next to it nothing comes in. */
        if (weight != 0)
            __cudair_add<T>(t, base, i + right, j + down, k + behind, dims, weight, s);
    }
}
/* Begins a sample, of which PART is of a second level. */
template <class T> __CUDAIR_T void __cudair_starts(const __cudair_texture* t, int part, __cudair_sum& s) {
    s.plain = __cudair_texel<T>::kind != 2 || (t->filter == 0 && part == 0);
    s.pass = 1;
    if (s.plain)
        return;
    for (int c = 0; c < __cudair_texel<T>::count; c++)
        s.floats[c] = 0.0f, s.integers[c] = 0, s.unit[c] = 14;
    if (__cudair_is_srgb(t, 0))
        s.pass = 0;
}
/* Integers end as sixteen bits, colours as eleven bits of a number. */
template <class T> __CUDAIR_T T __cudair_result(const __cudair_texture* t, __cudair_sum& s) {
    if (!s.plain)
        for (int c = 0; c < __cudair_texel<T>::count; c++) {
            float f = s.floats[c];
            int n = s.integers[c];
            if (t->kind == 2) {
            } else if (__cudair_is_srgb(t, c)) {
                int drop = 0;
                while (n >> drop >= 2048)
                    drop++;
                n = (n + (1 << drop >> 1)) >> drop << drop;
                f = (float)n / (float)(256 << s.unit[c]);
            } else if (t->kind == 1) {
                f = (float)((n + 128) >> 8) / 65535.0f;
            } else if (t->bits == 16) {
                f = (float)((n + 128) >> 8) / 32767.0f;
            } else {
                /* 32767 of 127 * 256: one and 257 of 32768, and of the latter product four bits are dropped first. */
                f = (float)(n + (((n >> 4) * 257 + 1024) >> 11)) / 32767.0f;
            }
            s.words[c] = __float_as_uint(f);
        }
    return __cudair_texel<T>::make(s.words);
}
/* A layer's number has no sign: what is below the first one is the last. */
__CUDAIR_T const char* __cudair_layer(const __cudair_texture* t, int layer) {
    unsigned int last = t->depth - 1;
    return t->data + ((unsigned int)layer < last ? (unsigned int)layer : last) * t->slice;
}
/* A direction as a face of a cube sees it: along the face, and away from the cube's middle. */
__CUDAIR_T void __cudair_on_face(int face, float x, float y, float z, float& s, float& t, float& m) {
    switch (face) {
    case 0: s = -z, t = -y, m = x; break;
    case 1: s = z, t = -y, m = -x; break;
    case 2: s = x, t = z, m = y; break;
    case 3: s = x, t = -z, m = -y; break;
    case 4: s = x, t = -y, m = z; break;
    default: s = -x, t = -y, m = -z;
    }
}
/* The face of a cube that a direction leads to, and where on it. */
__CUDAIR_T int __cudair_face(float x, float y, float z, float& s, float& t) {
    float ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m;
    int face = ax >= ay && ax >= az ? (x >= 0 ? 0 : 1) : ay >= az ? (y >= 0 ? 2 : 3) : z >= 0 ? 4 : 5;
    __cudair_on_face(face, x, y, z, s, t, m);
    s = (s / m + 1.0f) * 0.5f;
    t = (t / m + 1.0f) * 0.5f;
    return face;
}
template <class T>
__CUDAIR_T void __cudair_cube(const __cudair_texture* t, float x, float y, float z, int layer, __cudair_sum& s) {
    float u, v;
    int face = __cudair_face(x, y, z, u, v);
    /* A face's coordinates are normalized, and end at its edges. */
    __cudair_texture flat = *t;
    flat.normalized = 1;
    flat.address[0] = flat.address[1] = 1;
    unsigned int last = t->depth / 6 - 1;
    last = (unsigned int)layer < last ? (unsigned int)layer : last;
    __cudair_sample<T>(&flat, t->data + (6 * last + face) * t->slice, u, v, 0.0f, 2, s);
}

/* The level of detail that is asked for, within its bounds. */
__CUDAIR_T float __cudair_detail(const __cudair_texture* t, float level) {
    level += t->bias;
    level = level < t->lowest ? t->lowest : level > t->highest ? t->highest : level;
    float last = (float)(t->levels - 1);
    return level >= 0.0f ? level > last ? last : level : 0.0f;
}
__CUDAIR_T const __cudair_texture* __cudair_level_of(__cudair_texture* out, const __cudair_texture* t, int n) {
    const __cudair_level* level = (const __cudair_level*)(t + 1) + n;
    *out = *t;
    out->data = level->data;
    out->pitch = level->pitch;
    out->slice = level->slice;
    out->width = level->width;
    out->height = level->height;
    out->depth = level->depth;
    return out;
}
/* The level of detail at which a step of one pixel is one texel; x and y are how far such steps lead. */
__CUDAIR_T float __cudair_span(float x, float y) {
    float most = x > y ? x : y;
    return most > 0.0f ? 0.5f * log2f(most) : -1000.0f;
}
__CUDAIR_T float __cudair_square(unsigned int n, float d) { return (float)n * d * ((float)n * d); }

/* The same for a step from a direction into a cube: how far it leads on the face. */
__CUDAIR_T float __cudair_cube_step(const __cudair_texture* t, float x, float y, float z, float4 d) {
    float u, v, s, q, m, ds, dq, dm;
    int face = __cudair_face(x, y, z, u, v);
    __cudair_on_face(face, x, y, z, s, q, m);
    __cudair_on_face(face, d.x, d.y, d.z, ds, dq, dm);
    float scale = 0.5f / (m * m);
    return __cudair_square(t->width, (ds * m - s * dm) * scale) + __cudair_square(t->height, (dq * m - q * dm) * scale);
}

/* tex*: the value, or its place; SHAPE, the parameters, the level of detail, and how the sample is made. Gradients are
   taken as isotropic. */
#define __CUDAIR_TEX_AT(N, SHAPE, LEVEL, E, ARGS, ...)                                                 \
    template <class T> __CUDAIR_TEXTURE T N(cudaTextureObject_t texture, __VA_ARGS__) {                \
        const __cudair_texture* t = __cudair_texture_of(texture, SHAPE, 0);                            \
        const __cudair_texture* all = t;                                                               \
        __cudair_texture one;                                                                          \
        int first = 0, part = 0;                                                                       \
        if (t->levels != 0) {                                                                          \
            float detail = __cudair_detail(t, LEVEL);                                                  \
            first = (int)floorf(all->between ? detail : detail + 0.5f);                                \
            if (all->between && __cudair_texel<T>::kind == 2)                                          \
                part = (int)floorf((detail - (float)first) * 256.0f);                                  \
        }                                                                                              \
        __cudair_sum s;                                                                                \
        for (__cudair_starts<T>(t, part, s); s.pass < 2; s.pass++)                                     \
            for (int step = 0; step < (part ? 2 : 1); step++) {                                        \
                s.weight = step ? part : 256 - part;                                                   \
                if (all->levels != 0)                                                                  \
                    t = __cudair_level_of(&one, all, first + step);                                    \
                E;                                                                                     \
            }                                                                                          \
        return __cudair_result<T>(all, s);                                                             \
    }                                                                                                  \
    template <class T> __CUDAIR_T void N(T* result, cudaTextureObject_t texture, __VA_ARGS__) {        \
        *result = N<T> ARGS;                                                                           \
    }
#define __CUDAIR_TEX(N, SHAPE, E, ARGS, ...) __CUDAIR_TEX_AT(N, SHAPE, 0.0f, E, ARGS, __VA_ARGS__)
#define __CUDAIR_SAMPLE(X, Y, Z, D) __cudair_sample<T>(t, t->data, X, Y, Z, D, s)
#define __CUDAIR_LAYER(X, Y, D) __cudair_sample<T>(t, __cudair_layer(t, layer), X, Y, 0.0f, D, s)
__CUDAIR_TEX(tex1D, 1, __CUDAIR_SAMPLE(x, 0.0f, 0.0f, 1), (texture, x), float x)
__CUDAIR_TEX(tex2D, 2, __CUDAIR_SAMPLE(x, y, 0.0f, 2), (texture, x, y), float x, float y)
__CUDAIR_TEX(tex3D, 3, __CUDAIR_SAMPLE(x, y, z, 3), (texture, x, y, z), float x, float y, float z)
__CUDAIR_TEX_AT(tex1DLod, 1, level, (__CUDAIR_SAMPLE(x, 0.0f, 0.0f, 1)), (texture, x, level), float x, float level)
__CUDAIR_TEX_AT(tex2DLod, 2, level, (__CUDAIR_SAMPLE(x, y, 0.0f, 2)), (texture, x, y, level), float x, float y,
             float level)
__CUDAIR_TEX_AT(tex3DLod, 3, level, (__CUDAIR_SAMPLE(x, y, z, 3)), (texture, x, y, z, level), float x, float y,
             float z, float level)
__CUDAIR_TEX_AT(tex1DGrad, 1,
                __cudair_span(__cudair_square(t->width, dx), __cudair_square(t->width, dy)), (__CUDAIR_SAMPLE(x, 0.0f, 0.0f, 1)), (texture, x, dx, dy), float x,
             float dx, float dy)
__CUDAIR_TEX_AT(tex2DGrad, 2,
                __cudair_span(__cudair_square(t->width, dx.x) + __cudair_square(t->height, dx.y),
                              __cudair_square(t->width, dy.x) + __cudair_square(t->height, dy.y)), (__CUDAIR_SAMPLE(x, y, 0.0f, 2)), (texture, x, y, dx, dy), float x,
             float y, float2 dx, float2 dy)
__CUDAIR_TEX_AT(tex3DGrad, 3,
                __cudair_span(__cudair_square(t->width, dx.x) + __cudair_square(t->height, dx.y) +
                                  __cudair_square(t->depth, dx.z),
                              __cudair_square(t->width, dy.x) + __cudair_square(t->height, dy.y) +
                                  __cudair_square(t->depth, dy.z)), (__CUDAIR_SAMPLE(x, y, z, 3)), (texture, x, y, z, dx, dy), float x,
             float y, float z, float4 dx, float4 dy)
__CUDAIR_TEX(tex1DLayered, 0x11, __CUDAIR_LAYER(x, 0.0f, 1), (texture, x, layer), float x, int layer)
__CUDAIR_TEX(tex2DLayered, 0x12, __CUDAIR_LAYER(x, y, 2), (texture, x, y, layer), float x, float y, int layer)
__CUDAIR_TEX_AT(tex1DLayeredLod, 0x11, level, (__CUDAIR_LAYER(x, 0.0f, 1)), (texture, x, layer, level), float x,
             int layer, float level)
__CUDAIR_TEX_AT(tex2DLayeredLod, 0x12, level, (__CUDAIR_LAYER(x, y, 2)), (texture, x, y, layer, level), float x,
             float y, int layer, float level)
__CUDAIR_TEX(texCubemap, 0x22, __cudair_cube<T>(t, x, y, z, 0, s), (texture, x, y, z), float x, float y, float z)
__CUDAIR_TEX_AT(texCubemapLod, 0x22, level, (__cudair_cube<T>(t, x, y, z, 0, s)), (texture, x, y, z, level), float x,
             float y, float z, float level)
__CUDAIR_TEX(texCubemapLayered, 0x32, __cudair_cube<T>(t, x, y, z, layer, s), (texture, x, y, z, layer), float x, float y,
             float z, int layer)
__CUDAIR_TEX_AT(texCubemapLayeredLod, 0x32, level, (__cudair_cube<T>(t, x, y, z, layer, s)),
                (texture, x, y, z, layer, level), float x, float y, float z, int layer, float level)
__CUDAIR_TEX_AT(tex1DLayeredGrad, 0x11,
                __cudair_span(__cudair_square(t->width, dx), __cudair_square(t->width, dy)),
                (__CUDAIR_LAYER(x, 0.0f, 1)), (texture, x, layer, dx, dy), float x, int layer, float dx, float dy)
__CUDAIR_TEX_AT(tex2DLayeredGrad, 0x12,
                __cudair_span(__cudair_square(t->width, dx.x) + __cudair_square(t->height, dx.y),
                              __cudair_square(t->width, dy.x) + __cudair_square(t->height, dy.y)),
                (__CUDAIR_LAYER(x, y, 2)), (texture, x, y, layer, dx, dy), float x, float y, int layer, float2 dx,
                float2 dy)
__CUDAIR_TEX_AT(texCubemapGrad, 0x22,
                __cudair_span(__cudair_cube_step(t, x, y, z, dx), __cudair_cube_step(t, x, y, z, dy)),
                (__cudair_cube<T>(t, x, y, z, 0, s)), (texture, x, y, z, dx, dy), float x, float y, float z, float4 dx,
                float4 dy)
__CUDAIR_TEX_AT(texCubemapLayeredGrad, 0x32,
                __cudair_span(__cudair_cube_step(t, x, y, z, dx), __cudair_cube_step(t, x, y, z, dy)),
                (__cudair_cube<T>(t, x, y, z, layer, s)), (texture, x, y, z, layer, dx, dy), float x, float y, float z,
                int layer, float4 dx, float4 dy)
#undef __CUDAIR_SAMPLE
#undef __CUDAIR_LAYER
#undef __CUDAIR_TEX
#undef __CUDAIR_TEX_AT

/* Linear memory by its index; outside of it are zeros, whatever the address mode. */
template <class T> __CUDAIR_TEXTURE T tex1Dfetch(cudaTextureObject_t texture, int x) {
    const __cudair_texture* t = __cudair_texture_of(texture, 0, 0);
    __cudair_check_type<T>(t);
    unsigned int out[4] = {0, 0, 0, 0};
    if (x >= 0 && (unsigned int)x < t->width)
        __cudair_channels_at<T>(t, t->data + (unsigned long long)x * (t->bits / 8 * t->channels), out);
    return __cudair_texel<T>::make(out);
}
template <class T> __CUDAIR_T void tex1Dfetch(T* result, cudaTextureObject_t texture, int x) {
    *result = tex1Dfetch<T>(texture, x);
}
/* One channel of the four texels that a filter would take. */
template <class T> __CUDAIR_TEXTURE T tex2Dgather(cudaTextureObject_t texture, float x, float y, int component = 0) {
    const __cudair_texture* t = __cudair_texture_of(texture, 2, 0);
    typedef __cudair_texel<T> X;
    if (X::count != 4 || (X::kind == 2 ? t->kind != 2 && t->read != 1 : t->kind == 2 || t->read != 0) ||
        component < 0 || (unsigned int)component >= t->channels)
        __cudair_texture_fault(1);
    x = __cudair_coordinate(x, t->width, t->address[0], t->normalized, 0.0f) - 0.5f;
    y = __cudair_coordinate(y, t->height, t->address[1], t->normalized, 0.0f) - 0.5f;
    int i = (int)floorf(x), j = (int)floorf(y);
    unsigned int corner[4], out[4];
    const int right[4] = {0, 1, 1, 0}, down[4] = {1, 1, 0, 0};
    for (int c = 0; c < 4; c++) {
        __cudair_texel_at<T>(t, t->data, i + right[c], j + down[c], 0, 2, corner);
        out[c] = corner[component];
    }
    return X::make(out);
}
template <class T>
__CUDAIR_T void tex2Dgather(T* result, cudaTextureObject_t texture, float x, float y, int component = 0) {
    *result = tex2Dgather<T>(texture, x, y, component);
}

/* Surfaces: x counts bytes. The place of an element, or null where the mode says that there is none. */
template <class T>
__CUDAIR_T char* __cudair_surface_at(const __cudair_texture* t, int x, int y, int z, int mode) {
    int row = (int)(t->width * (t->bits / 8 * t->channels)), last = row - (int)sizeof(T);
    if (x % (int)sizeof(T) != 0)
        __cudair_texture_fault(4);
    bool inside = x >= 0 && x <= last && y >= 0 && y < (int)t->height && z >= 0 && z < (int)t->depth;
    if (!inside) {
        if (mode == cudaBoundaryModeTrap)
            __cudair_texture_fault(2);
        if (mode == cudaBoundaryModeZero)
            return 0;
        x = x < 0 ? 0 : x > last ? last : x;
        y = y < 0 ? 0 : y >= (int)t->height ? (int)t->height - 1 : y;
        z = z < 0 ? 0 : z >= (int)t->depth ? (int)t->depth - 1 : z;
    }
    return t->data + z * t->slice + y * t->pitch + x;
}
#define __CUDAIR_SURF(D, SHAPE, Y, Z, ARGS, ...)                                                       \
    template <class T>                                                                                 \
    __CUDAIR_SURFACE(read) T surf##D##read(cudaSurfaceObject_t surface, __VA_ARGS__,                               \
                               cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {                  \
        const __cudair_texture* t = __cudair_texture_of(surface, SHAPE, 3);                            \
        const char* at = __cudair_surface_at<T>(t, x, Y, Z, mode);                                     \
        T value;                                                                                       \
        if (at)                                                                                        \
            value = *(const T*)at;                                                                     \
        else                                                                                           \
            __builtin_memset(&value, 0, sizeof(T));                                                    \
        return value;                                                                                  \
    }                                                                                                  \
    template <class T>                                                                                 \
    __CUDAIR_T void surf##D##read(T* result, cudaSurfaceObject_t surface, __VA_ARGS__,                 \
                                  cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {               \
        *result = surf##D##read<T> ARGS;                                                               \
    }                                                                                                  \
    template <class T>                                                                                 \
    __CUDAIR_SURFACE(write) void surf##D##write(T value, cudaSurfaceObject_t surface, __VA_ARGS__,                  \
                                   cudaSurfaceBoundaryMode mode = cudaBoundaryModeTrap) {              \
        const __cudair_texture* t = __cudair_texture_of(surface, SHAPE, 3);                            \
        char* at = __cudair_surface_at<T>(t, x, Y, Z, mode);                                           \
        if (at)                                                                                        \
            *(T*)at = value;                                                                           \
    }
__CUDAIR_SURF(1D, 1, 0, 0, (surface, x, mode), int x)
__CUDAIR_SURF(2D, 2, y, 0, (surface, x, y, mode), int x, int y)
__CUDAIR_SURF(3D, 3, y, z, (surface, x, y, z, mode), int x, int y, int z)
__CUDAIR_SURF(1DLayered, 0x11, 0, layer, (surface, x, layer, mode), int x, int layer)
__CUDAIR_SURF(2DLayered, 0x12, y, layer, (surface, x, y, layer, mode), int x, int y, int layer)
__CUDAIR_SURF(Cubemap, 0x22, y, face, (surface, x, y, face, mode), int x, int y, int face)
__CUDAIR_SURF(CubemapLayered, 0x32, y, layer_face, (surface, x, y, layer_face, mode), int x, int y, int layer_face)
#undef __CUDAIR_SURF
#undef __CUDAIR_TEXTURE
#undef __CUDAIR_SURFACE
#undef __CUDAIR_T

#endif
