// An assumption that no launch meets proves nothing. Near miss: one that a launch meets.
// flags: --strict --block-dim 64 --grid-dim 1
// revisions: none some
//[none] flags: --assume n>5&&n<3
//[some] flags: --assume n>3&&n<5
__global__ void own(int *out, int n) { //[none]~ ERROR global-race: a launch that cannot happen is not followed
    //[none]~^ ERROR shared-race: a launch that cannot happen is not followed
    out[threadIdx.x] = n;
}
