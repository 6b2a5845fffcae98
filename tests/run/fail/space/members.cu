// Memory of the other side behind members of structs: by value, nested, and behind a pointer.
// revisions: value nested pointer device_struct fine
#include <stdio.h>

struct Inner {
    int n;
    const int *data;
};
struct Outer {
    Inner inner;
    int *out;
};

__global__ void sum(Inner in, int *out) {
    int s = 0;
    for (int i = 0; i < in.n; i++)
        s += in.data[i]; //[value]~ ERROR wrong-memory-space
    *out = s;
}

__global__ void nested(Outer o) {
    *o.out = o.inner.data[0] + o.inner.data[1]; //[nested]~ ERROR wrong-memory-space
}

__global__ void behind(const Outer *o) {
    *o->out = o->inner.n; //[pointer]~ ERROR wrong-memory-space
}

int main() {
    int host[4] = {1, 2, 3, 4}, *dev, *out, result = 0;
    cudaMalloc(&dev, sizeof(host));
    cudaMalloc(&out, sizeof(int));
    cudaMemcpy(dev, host, sizeof(host), cudaMemcpyHostToDevice);
#if defined(REV_value)
    sum<<<1, 1>>>(Inner{4, host}, out);
#elif defined(REV_nested)
    nested<<<1, 1>>>(Outer{{4, host}, out});
#elif defined(REV_pointer)
    Outer o = {{4, dev}, out};
    behind<<<1, 1>>>(&o);
#elif defined(REV_device_struct)
    Outer *d;
    cudaMalloc(&d, sizeof(Outer));
    d->out = out; //[device_struct]~ ERROR wrong-memory-space
#else
    Outer o = {{4, dev}, out}, *d;
    cudaMalloc(&d, sizeof(Outer));
    cudaMemcpy(d, &o, sizeof(o), cudaMemcpyHostToDevice);
    sum<<<1, 1>>>(o.inner, out);
    nested<<<1, 1>>>(o);
    behind<<<1, 1>>>(d);
    cudaMemcpy(&result, o.out, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(d);
#endif
    (void)cudaDeviceSynchronize();
    cudaFree(dev);
    cudaFree(out);
    return 0;
}
