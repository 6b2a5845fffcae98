// Batches of copies: between pointers, between pointers and arrays, and their errors with the number of the copy.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
    cudaStream_t s;
    cudaStreamCreate(&s);
    int from[8] = {0, 1, 2, 3, 4, 5, 6, 7}, to[8] = {};
    int* d;
    cudaMalloc(&d, sizeof from);
    void* dsts[] = {d, d + 4};
    void* srcs[] = {from + 4, from};
    size_t sizes[] = {16, 16}, starts[] = {0, 1}, failed = 7;
    cudaMemcpyAttributes attrs[2] = {};
    attrs[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    attrs[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
    attrs[1].flags = cudaMemcpyFlagPreferOverlapWithCompute;
    SAY(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, attrs, starts, 2, &failed, s));
    cudaStreamSynchronize(s);
    cudaMemcpy(to, d, sizeof to, cudaMemcpyDeviceToHost);
    for (int i : to) printf("%d ", i);
    printf("%zu\n", failed);

    SAY(cudaMemcpyBatchAsync(dsts, srcs, sizes, 0, attrs, starts, 1, &failed, s));
    SAY(cudaMemcpyBatchAsync(nullptr, srcs, sizes, 2, attrs, starts, 1, &failed, s));
    SAY(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, attrs, starts, 3, &failed, s));
    printf("%d\n", failed == (size_t)-1);
    size_t late[] = {1}, back[] = {0, 0};
    SAY(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, attrs, late, 1, &failed, s));
    SAY(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, attrs, back, 2, &failed, s));
    attrs[1].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
    SAY(cudaMemcpyBatchAsync(dsts, srcs, sizes, 2, attrs, starts, 2, &failed, s));
    printf("%zu\n", failed);

    // A plane of an array, then back from its middle into rows that are further apart.
    cudaChannelFormatDesc format = cudaCreateChannelDesc<int>();
    cudaArray_t array;
    cudaMallocArray(&array, &format, 4, 2);
    cudaMemcpy3DBatchOp op = {};
    op.src.type = cudaMemcpyOperandTypePointer;
    op.src.op.ptr.ptr = from;
    op.dst.type = cudaMemcpyOperandTypeArray;
    op.dst.op.array.array = array;
    op.extent = make_cudaExtent(4, 2, 1);
    op.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
    SAY(cudaMemcpy3DBatchAsync(1, &op, &failed, 0, s));
    int wide[12];
    for (int& i : wide) i = -1;
    cudaMemcpy3DBatchOp out = {};
    out.src.type = cudaMemcpyOperandTypeArray;
    out.src.op.array.array = array;
    out.src.op.array.offset.x = 1;
    out.dst.type = cudaMemcpyOperandTypePointer;
    out.dst.op.ptr.ptr = wide;
    out.dst.op.ptr.rowLength = 6;
    out.extent = make_cudaExtent(2, 2, 1);
    out.srcAccessOrder = cudaMemcpySrcAccessOrderAny;
    SAY(cudaMemcpy3DBatchAsync(1, &out, &failed, 0, s));
    cudaStreamSynchronize(s);
    for (int i : wide) printf("%d ", i);
    printf("\n");
    cudaMemcpy3DBatchOp both[] = {op, out};
    both[1].dst.op.ptr.rowLength = 1;
    SAY(cudaMemcpy3DBatchAsync(2, both, &failed, 0, s));
    printf("%zu\n", failed);
    both[0].extent.depth = 0;
    SAY(cudaMemcpy3DBatchAsync(2, both, &failed, 0, s));
    printf("%zu\n", failed);
    SAY(cudaMemcpy3DBatchAsync(1, &op, &failed, 1, s));
    SAY(cudaMemcpy3DBatchAsync(0, &op, nullptr, 0, s));
    cudaFreeArray(array);
    cudaFree(d);
    cudaStreamDestroy(s);
}
