// What hangs on an argument or on loaded data is possible: a warning under --verdicts, an error under --strict.
// flags: --block-dim 64 --grid-dim 1 --verdicts
// revisions: warned strict
//[strict] flags: --strict
__global__ void by_argument(int *out, int step) {
    out[threadIdx.x * step] = threadIdx.x; //[warned]~ WARNING global-race: two threads of a block may touch the same bytes
    //[strict]~^ ERROR global-race: two threads of a block may touch the same bytes
}

__global__ void by_data(int *out, const int *where) {
    out[where[threadIdx.x]] = threadIdx.x; //[warned]~ WARNING global-race: two threads of a block may touch the same bytes
    //[strict]~^ ERROR global-race: two threads of a block may touch the same bytes
}
