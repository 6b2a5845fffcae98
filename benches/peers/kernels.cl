// The nine benchmark kernels in OpenCL C, line by line what the CUDA programs say.

__kernel void vecadd(__global const float *a, __global const float *b, __global float *c, int n)
{
    int i = get_global_id(0);
    if (i < n)
        c[i] = a[i] + b[i];
}

__kernel void reduce(__global const int *in, __global int *out)
{
    __local int part[256];
    int t = get_local_id(0);
    part[t] = in[get_group_id(0) * 256 + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 128; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (t == 0)
        out[get_group_id(0)] = part[0];
}

__kernel void matmul_tiled(__global const float *a, __global const float *b, __global float *c, int n)
{
    __local float ta[16][16], tb[16][16];
    int tx = get_local_id(0), ty = get_local_id(1);
    int x = get_group_id(0) * 16 + tx, y = get_group_id(1) * 16 + ty;
    float sum = 0.0f;
    for (int k = 0; k < n; k += 16) {
        ta[ty][tx] = a[y * n + k + tx];
        tb[ty][tx] = b[(k + ty) * n + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 16; i++)
            sum += ta[ty][i] * tb[i][tx];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[y * n + x] = sum;
}

__kernel void matmul_naive(__global const float *a, __global const float *b, __global float *c, int n)
{
    int x = get_group_id(0) * 16 + get_local_id(0), y = get_group_id(1) * 16 + get_local_id(1);
    float sum = 0.0f;
    for (int i = 0; i < n; i++)
        sum += a[y * n + i] * b[i * n + x];
    c[y * n + x] = sum;
}

__kernel void histogram(__global const uint *in, __global uint *bins, int n)
{
    __local uint local_bins[256];
    int t = get_local_id(0);
    local_bins[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = get_global_id(0); i < n; i += get_global_size(0))
        atomic_add(&local_bins[in[i] & 255], 1u);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&bins[t], local_bins[t]);
}

__kernel void bitonic(__global int *data)
{
    __local int s[256];
    uint t = get_local_id(0);
    s[t] = data[get_group_id(0) * 256 + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 2; k <= 256; k <<= 1) {
        for (uint j = k >> 1; j > 0; j >>= 1) {
            uint o = t ^ j;
            if (o > t) {
                int a = s[t], b = s[o];
                if ((t & k) == 0 ? a > b : a < b) {
                    s[t] = b;
                    s[o] = a;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    data[get_group_id(0) * 256 + t] = s[t];
}

__kernel void stencil(__global const float *in, __global float *out, int n)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x > 0 && y > 0 && x < n - 1 && y < n - 1)
        out[y * n + x] = 0.2f * (in[y * n + x] + in[y * n + x - 1] + in[y * n + x + 1] + in[(y - 1) * n + x] + in[(y + 1) * n + x]);
    else
        out[y * n + x] = in[y * n + x];
}

__kernel void nbody(__global const float *px, __global const float *py, __global const float *pz,
                    __global float *ax, __global float *ay, __global float *az, int n)
{
    __local float sx[256], sy[256], sz[256];
    int t = get_local_id(0), i = get_group_id(0) * 256 + t;
    float x = px[i], y = py[i], z = pz[i], fx = 0.0f, fy = 0.0f, fz = 0.0f;
    for (int tile = 0; tile < n; tile += 256) {
        sx[t] = px[tile + t];
        sy[t] = py[tile + t];
        sz[t] = pz[tile + t];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 256; j++) {
            float dx = sx[j] - x, dy = sy[j] - y, dz = sz[j] - z;
            float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
            float inv = 1.0f / sqrt(d2);
            float f = inv * inv * inv;
            fx += dx * f;
            fy += dy * f;
            fz += dz * f;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    ax[i] = fx;
    ay[i] = fy;
    az[i] = fz;
}

__kernel void scan(__global const int *in, __global int *out)
{
    __local int s[512];
    int t = get_local_id(0), base = get_group_id(0) * 512, offset = 1;
    s[2 * t] = in[base + 2 * t];
    s[2 * t + 1] = in[base + 2 * t + 1];
    for (int d = 256; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            s[b] += s[a];
        }
        offset *= 2;
    }
    if (t == 0)
        s[511] = 0;
    for (int d = 1; d < 512; d *= 2) {
        offset >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (t < d) {
            int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
            int x = s[a];
            s[a] = s[b];
            s[b] += x;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + 2 * t] = s[2 * t];
    out[base + 2 * t + 1] = s[2 * t + 1];
}
