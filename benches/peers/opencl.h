// The ways to OpenCL that the programs of the benchmark kernels share.
#ifndef OPENCL_H
#define OPENCL_H

#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context ctx;
static cl_command_queue queue;
static cl_program program;

static void check(cl_int err, const char *what)
{
    if (err != CL_SUCCESS) {
        fprintf(stderr, "%s: OpenCL error %d\n", what, err);
        exit(1);
    }
}

static cl_mem buffer(size_t bytes, const void *data)
{
    cl_int err;
    cl_mem m = clCreateBuffer(ctx, CL_MEM_READ_WRITE, bytes, NULL, &err);
    check(err, "clCreateBuffer");
    if (data)
        check(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "write");
    return m;
}

static void read_back(cl_mem m, void *data, size_t bytes)
{
    check(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, bytes, data, 0, NULL, NULL), "read");
}

static cl_kernel kernel(const char *name)
{
    cl_int err;
    cl_kernel k = clCreateKernel(program, name, &err);
    check(err, name);
    return k;
}

static void arg(cl_kernel k, int i, size_t size, const void *value)
{
    check(clSetKernelArg(k, i, size, value), "clSetKernelArg");
}

static void enqueue(cl_kernel k, int dims, size_t gx, size_t gy, size_t lx, size_t ly)
{
    size_t g[2] = { gx, gy }, l[2] = { lx, ly };
    check(clEnqueueNDRangeKernel(queue, k, dims, NULL, g, l, 0, NULL, NULL), "launch");
}

// PoCL compiles at the first launch of a shape, so with `warm` the kernel runs once on the same shape
// before the clock starts and its data is written anew. Oclgrind interprets and needs no warming.
#define MEASURE(reset, run)                        \
    do {                                           \
        if (warm) {                                \
            run;                                   \
            check(clFinish(queue), "warm");        \
            reset;                                 \
        }                                          \
        bench_begin();                             \
        run;                                       \
        check(clFinish(queue), "finish");          \
        bench_end();                               \
    } while (0)

// Builds the kernels of a file for the first device; ends the program where that fails.
static void opencl_begin(const char *file)
{
    FILE *f = fopen(file, "rb");
    static char src[1 << 16];
    if (!f)
        exit(2);
    src[fread(src, 1, sizeof src - 1, f)] = 0;
    fclose(f);
    cl_platform_id platform;
    cl_device_id dev;
    cl_int err;
    check(clGetPlatformIDs(1, &platform, NULL), "platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &dev, NULL), "device");
    ctx = clCreateContext(NULL, 1, &dev, NULL, NULL, &err);
    check(err, "context");
    queue = clCreateCommandQueue(ctx, dev, 0, &err);
    check(err, "queue");
    const char *text = src;
    program = clCreateProgramWithSource(ctx, 1, &text, NULL, &err);
    check(err, "program");
    check(clBuildProgram(program, 1, &dev, "", NULL, NULL), "build");
}

#endif
