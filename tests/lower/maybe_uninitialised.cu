// A variable that one path leaves unset stays in memory; one that every path sets becomes a value.
__global__ void paths(int *out, int n) {
    int unset, set;
    if (n > 3) {
        unset = 1;
        set = 2;
    } else {
        set = 3;
    }
    if (n > 3) out[0] = unset;
    out[1] = set;
}
