// Modifications that nothing orders with another use of the variable, where they run; C++17 orders many.
// revisions: twice used arguments device macro never fine
// flags: -std=c++17
#include <stdio.h>

#define NEXT(x) (x)++

static int sum(int a, int b) { return a + b; }

__device__ int both(int i) {
    return i++ + i; //[device]~ ERROR undefined-behavior: `i` is modified and used
}

__global__ void kernel(int *a) { a[threadIdx.x] = both(threadIdx.x); }

int main(int argc, char **) {
    int a[8] = {}, i = argc;
#if defined(REV_twice)
    i = i++ + i++; //[twice]~ ERROR undefined-behavior: `i` is modified twice
#elif defined(REV_used)
    a[0] = i-- * i; //[used]~ ERROR undefined-behavior: `i` is modified and used
#elif defined(REV_arguments)
    a[0] = sum(i++, i); //[arguments]~ WARNING undefined-behavior: in one argument and used in another
#elif defined(REV_device)
    int *d;
    cudaMalloc(&d, 8 * sizeof(int));
    kernel<<<1, 8>>>(d);
    (void)cudaDeviceSynchronize();
    cudaFree(d);
#elif defined(REV_macro)
    a[0] = NEXT(i) + i; //[macro]~ ERROR undefined-behavior: `i` is modified and used
#elif defined(REV_never)
    if (argc > 5) i = i++ + i++;
#else
    a[i] = i++;
    i = i++;
    i += i++ * 2;
    int *p = a;
    *p++ = *p + 1;
    a[3] = i++ && i++;
    a[4] = (i++, i);
    a[5] = i > 2 ? i++ : i--;
    a[6] = sum(a[0], (i++, 3));
    int j = (i = 4) + a[0];
    printf("%d %d %d %d %d %d %d %d\n", a[0], a[1], a[2], a[3], a[4], a[5], a[6], i);
    int n = sizeof(i++);
    printf("%d %d %d\n", i << 1 << i, n, j);
#endif
    return 0;
}
