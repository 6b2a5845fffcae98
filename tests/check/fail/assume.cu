// What is assumed does not say enough: a thread reads what another one writes. Near miss: the gap is as wide as the grid.
// flags: --block-dim 64 --grid-dim 1 --strict
// revisions: wide narrow
//[wide] flags: --assume gap>=64&&gap<1000
//[narrow] flags: --assume gap>=63&&gap<1000
__global__ void apart(int *out, int gap) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i + gap] = out[i]; //[narrow]~ ERROR global-race: touch the same bytes
}
