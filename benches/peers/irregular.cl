// The irregular benchmark kernels in OpenCL C, line by line what the CUDA programs say.

__kernel void spmv_scalar(__global const int *row, __global const int *col, __global const float *val,
                          __global const float *x, __global float *y, int n)
{
    int r = get_global_id(0);
    if (r < n) {
        float sum = 0.0f;
        for (int k = row[r]; k < row[r + 1]; k++)
            sum += val[k] * x[col[k]];
        y[r] = sum;
    }
}

__kernel void spmv_vector(__global const int *row, __global const int *col, __global const float *val,
                          __global const float *x, __global float *y, int n)
{
    __local float part[256];
    int t = get_local_id(0), lane = t % 32, r = get_group_id(0) * 8 + t / 32;
    float sum = 0.0f;
    if (r < n)
        for (int k = row[r] + lane; k < row[r + 1]; k += 32)
            sum += val[k] * x[col[k]];
    part[t] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 16; s > 0; s >>= 1) {
        if (lane < s)
            part[t] += part[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lane == 0 && r < n)
        y[r] = part[t];
}

__kernel void bfs(__global const int *row, __global const int *col, __global int *level, __global const int *from,
                  int size, __global int *to, __global int *count, int depth)
{
    int i = get_global_id(0);
    if (i < size) {
        int v = from[i];
        for (int k = row[v]; k < row[v + 1]; k++) {
            int w = col[k];
            if (atomic_cmpxchg(&level[w], -1, depth) == -1)
                to[atomic_add(count, 1)] = w;
        }
    }
}

__kernel void mandelbrot(__global int *out, int n, int most)
{
#pragma OPENCL FP_CONTRACT OFF
    int px = get_global_id(0), py = get_global_id(1);
    float cx = px * (3.0f / 512) - 2.0f, cy = py * (3.0f / 512) - 1.125f, x = 0.0f, y = 0.0f;
    int i = 0;
    for (; i < most; i++) {
        float xx = x * x, yy = y * y, xy = x * y;
        if (xx + yy > 4.0f)
            break;
        x = xx - yy + cx;
        y = xy + xy + cy;
    }
    out[py * n + px] = i;
}

__kernel void transpose(__global const float *in, __global float *out, int n)
{
    __local float tile[32][33];
    int tx = get_local_id(0), ty = get_local_id(1), x = get_group_id(0) * 32 + tx, y = get_group_id(1) * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        tile[ty + j][tx] = in[(y + j) * n + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    x = get_group_id(1) * 32 + tx;
    y = get_group_id(0) * 32 + ty;
    for (int j = 0; j < 32; j += 8)
        out[(y + j) * n + x] = tile[tx][ty + j];
}

__kernel void gauss_factors(__global const float *a, __global float *f, int n, int k)
{
    int i = k + 1 + get_global_id(0);
    if (i < n)
        f[i] = a[i * (n + 1) + k] / a[k * (n + 1) + k];
}

__kernel void gauss_rest(__global float *a, __global const float *f, int n, int k)
{
    int j = k + get_global_id(0), i = k + 1 + get_global_id(1);
    if (i < n && j <= n)
        a[i * (n + 1) + j] -= f[i] * a[k * (n + 1) + j];
}

__kernel void convolve(__global const float *in, __global const float *taps, __global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    float sum = 0.0f;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) {
            int sx = min(max(x + i, 0), n - 1), sy = min(max(y + j, 0), n - 1);
            sum += in[sy * n + sx] * taps[(j + 2) * 5 + i + 2];
        }
    out[y * n + x] = sum;
}

__kernel void strings(__global const char *text, __global const char *pattern, int n, int length, __global int *found)
{
    int at = get_global_id(0);
    if (at < n) {
        int i = 0;
        while (i < length && text[at + i] == pattern[i])
            i++;
        if (i == length)
            atomic_add(found, at % 1000 + 1);
    }
}

__kernel void hash(__global const uint *keys, __global uint *table, int n, uint slots)
{
    int i = get_global_id(0);
    if (i < n) {
        uint key = keys[i], slot = (key * 2654435761u >> 8) % slots;
        for (;;) {
            uint was = atomic_cmpxchg(&table[slot], 0u, key);
            if (was == 0 || was == key)
                break;
            slot = (slot + 1) % slots;
        }
    }
}

__kernel void tree(__global const int *key, __global const int *left, __global const int *right,
                   __global const int *wanted, __global int *depth, int n)
{
    int i = get_global_id(0);
    if (i < n) {
        int want = wanted[i], at = 0, steps = 0;
        while (at >= 0 && key[at] != want) {
            at = want < key[at] ? left[at] : right[at];
            steps++;
        }
        depth[i] = at < 0 ? -steps : steps;
    }
}
