// Every form of copy and fill, and what each refuses. A copy's effect is printed from where it ended.
#include <cstdio>
#include <cstring>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__device__ int symbol[4];
__constant__ float fixed[2];

static void show(const char *what, const unsigned char *p, int n) {
    printf("%s:", what);
    for (int i = 0; i < n; i++) printf(" %02x", p[i]);
    printf("\n");
}

int main() {
    unsigned char host[64], back[64];
    for (int i = 0; i < 64; i++) host[i] = i;
    unsigned char *a, *b;
    SAY(cudaMalloc(&a, 64));
    SAY(cudaMalloc(&b, 64));
    cudaStream_t s;
    cudaStreamCreate(&s);

    // Between peers: there is one device, and it may be both.
    SAY(cudaMemcpy(a, host, 64, cudaMemcpyHostToDevice));
    SAY(cudaMemcpyPeer(b, 0, a, 0, 64));
    SAY(cudaMemcpy(back, b, 64, cudaMemcpyDeviceToHost));
    show("peer", back, 8);
    SAY(cudaMemcpyPeerAsync(b, 0, a + 8, 0, 8, s));
    SAY(cudaMemcpyAsync(back, b, 64, cudaMemcpyDeviceToHost, s));
    SAY(cudaStreamSynchronize(s));
    show("peer later", back, 10);
    SAY(cudaMemcpyPeer(b, 1, a, 0, 64));
    SAY(cudaMemcpyPeer(b, 0, a, -1, 64));
    SAY(cudaMemcpy(back, b, 64, (cudaMemcpyKind)9));
    SAY(cudaMemcpy(back, b, 0, cudaMemcpyDeviceToHost));

    // Rows of 3 bytes, 8 apart, to rows 4 apart.
    memset(back, 0xee, sizeof back);
    SAY(cudaMemset(b, 0xaa, 64));
    SAY(cudaMemcpy2DAsync(b, 4, a + 1, 8, 3, 2, cudaMemcpyDeviceToDevice, s));
    SAY(cudaMemcpy2DAsync(back, 4, b, 4, 4, 3, cudaMemcpyDeviceToHost, s));
    SAY(cudaStreamSynchronize(s));
    show("rows", back, 14);
    SAY(cudaMemcpy2D(back, 2, b, 4, 3, 2, cudaMemcpyDeviceToHost));
    SAY(cudaMemset2DAsync(b, 8, 0x11, 2, 3, s));
    SAY(cudaStreamSynchronize(s));
    SAY(cudaMemcpy(back, b, 24, cudaMemcpyDeviceToHost));
    show("filled rows", back, 24);
    SAY(cudaMemset2D(b, 2, 0, 3, 2));

    // Boxes.
    cudaPitchedPtr box;
    SAY(cudaMalloc3D(&box, make_cudaExtent(4, 3, 2)));
    printf("%zu bytes apart, %zu x %zu\n", box.pitch, box.xsize, box.ysize);
    SAY(cudaMemset3D(box, 0x22, make_cudaExtent(4, 3, 2)));
    SAY(cudaMemset3DAsync(box, 0x33, make_cudaExtent(2, 1, 2), s));
    SAY(cudaStreamSynchronize(s));
    memset(back, 0, sizeof back);
    cudaMemcpy3DParms parms = {};
    parms.srcPtr = box;
    parms.dstPtr = make_cudaPitchedPtr(back, 4, 4, 3);
    parms.extent = make_cudaExtent(4, 3, 2);
    parms.kind = cudaMemcpyDeviceToHost;
    SAY(cudaMemcpy3DAsync(&parms, s));
    SAY(cudaStreamSynchronize(s));
    show("box", back, 24);
    cudaPitchedPtr other;
    SAY(cudaMalloc3D(&other, make_cudaExtent(4, 3, 2)));
    SAY(cudaMemset3D(other, 0, make_cudaExtent(4, 3, 2)));
    cudaMemcpy3DPeerParms peers = {};
    peers.srcPtr = box;
    peers.dstPtr = other;
    peers.extent = make_cudaExtent(3, 2, 1);
    SAY(cudaMemcpy3DPeer(&peers));
    peers.srcPos = make_cudaPos(1, 1, 1);
    peers.dstPos = make_cudaPos(0, 2, 1);
    peers.extent = make_cudaExtent(2, 1, 1);
    SAY(cudaMemcpy3DPeerAsync(&peers, s));
    SAY(cudaStreamSynchronize(s));
    parms.srcPtr = other;
    SAY(cudaMemcpy3D(&parms));
    show("from peer", back, 24);
    peers.dstDevice = 3;
    SAY(cudaMemcpy3DPeer(&peers));
    SAY(cudaMemcpy3D(nullptr));

    // Variables of the device.
    int numbers[4] = {1, 2, 3, 4};
    SAY(cudaMemcpyToSymbolAsync(symbol, numbers, sizeof numbers, 0, cudaMemcpyHostToDevice, s));
    SAY(cudaMemcpyToSymbolAsync(symbol, numbers + 3, 4, 4, cudaMemcpyHostToDevice, s));
    int read[4];
    SAY(cudaMemcpyFromSymbolAsync(read, symbol, sizeof read, 0, cudaMemcpyDeviceToHost, s));
    SAY(cudaStreamSynchronize(s));
    printf("%d %d %d %d\n", read[0], read[1], read[2], read[3]);
    float two[2] = {0.5f, 0.25f}, got = 0;
    SAY(cudaMemcpyToSymbol(fixed, two, sizeof two));
    SAY(cudaMemcpyFromSymbol(&got, fixed, 4, 4));
    printf("%g\n", got);
    SAY(cudaMemcpyToSymbol(numbers, two, 4));
    void *address = nullptr;
    size_t size = 0;
    SAY(cudaGetSymbolAddress(&address, symbol));
    SAY(cudaGetSymbolSize(&size, symbol));
    printf("%d %zu\n", address != nullptr, size);
    SAY(cudaGetSymbolAddress(&address, numbers));
    SAY(cudaGetSymbolSize(nullptr, symbol));

    // Pinned memory tells its flags.
    int *pinned, *mapped = nullptr;
    unsigned flags = 99;
    SAY(cudaHostAlloc(&pinned, 64, cudaHostAllocMapped | cudaHostAllocPortable));
    SAY(cudaHostGetFlags(&flags, pinned));
    printf("flags %u\n", flags);
    SAY(cudaHostGetFlags(&flags, host));
    SAY(cudaHostGetDevicePointer(&mapped, pinned, 0));
    SAY(cudaHostGetDevicePointer(&mapped, pinned, 1));
    SAY(cudaHostAlloc(&pinned, 64, 0x100));
    SAY(cudaFreeHost(mapped));

    SAY(cudaStreamDestroy(s));
    SAY(cudaFree(box.ptr));
    SAY(cudaFree(other.ptr));
    SAY(cudaFree(a));
    SAY(cudaFree(b));
}
