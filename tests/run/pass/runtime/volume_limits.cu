// Parts of boxes that leave a row or a slice at either end of a copy; one row needs no pitch, one slice no rows.
#include <cstdio>
#include <cstring>
#include <cuda.h>

#define SAY(call) printf("%s: %d\n", #call, int(call))

static char host[3][4][8];

static int copy(cudaPitchedPtr from, cudaPos at, cudaPitchedPtr to, cudaPos there, cudaExtent extent) {
    cudaMemcpy3DParms parms = {};
    parms.srcPtr = from;
    parms.srcPos = at;
    parms.dstPtr = to;
    parms.dstPos = there;
    parms.extent = extent;
    parms.kind = cudaMemcpyDeviceToHost;
    return cudaMemcpy3D(&parms);
}

int main() {
    cudaPitchedPtr box;
    cudaMalloc3D(&box, make_cudaExtent(8, 4, 3));
    cudaMemset3D(box, 1, make_cudaExtent(8, 4, 3));
    const cudaPitchedPtr back = make_cudaPitchedPtr(host, 8, 8, 4);
    const cudaPos zero = make_cudaPos(0, 0, 0);
    const cudaExtent part = make_cudaExtent(4, 2, 1);
    SAY(copy(box, zero, back, zero, make_cudaExtent(8, 4, 3)));
    SAY(copy(box, zero, back, make_cudaPos(4, 2, 2), part));
    SAY(copy(box, zero, back, make_cudaPos(6, 0, 0), part));
    SAY(copy(box, zero, back, make_cudaPos(0, 3, 0), part));
    SAY(copy(box, zero, back, zero, make_cudaExtent(9, 1, 1)));
    SAY(copy(box, zero, back, zero, make_cudaExtent(4, 5, 1)));
    SAY(copy(box, make_cudaPos(box.pitch - 2, 0, 0), back, zero, part));
    SAY(copy(box, make_cudaPos(0, 3, 0), back, zero, part));
    SAY(copy(box, zero, make_cudaPitchedPtr(host, 0, 0, 0), zero, make_cudaExtent(8, 1, 1)));

    CUDA_MEMCPY3D told;
    memset(&told, 0, sizeof told);
    told.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    told.srcDevice = CUdeviceptr(box.ptr);
    told.srcPitch = box.pitch;
    told.srcHeight = 4;
    told.dstMemoryType = CU_MEMORYTYPE_HOST;
    told.dstHost = host;
    told.dstPitch = 8;
    told.dstHeight = 4;
    told.WidthInBytes = 4;
    told.Height = 2;
    told.Depth = 1;
    SAY(cuMemcpy3D(&told));
    told.dstXInBytes = 6;
    SAY(cuMemcpy3D(&told));
    told.dstXInBytes = 0;
    told.dstY = 3;
    SAY(cuMemcpy3D(&told));
    told.dstHeight = 0;
    SAY(cuMemcpy3D(&told));
    told.dstY = 0;
    told.srcY = 3;
    SAY(cuMemcpy3D(&told));
    cudaFree(box.ptr);
}
