// Pointers that never were: null and near null, an integer made a pointer, a literal that is written.
// revisions: member far literal library
#include <cstdio>
#include <cstring>

struct Node {
    int* data;
    int value;
};

__global__ void k(int* out, Node* node, int z) {
    int t = threadIdx.x;
#if defined(REV_member)
    out[t] = node->value; //[member]~ ERROR null-dereference: read of 4 bytes at address 8, next to null
#elif defined(REV_far)
    out[t] = *(int*)0x12345678; //[far]~ ERROR null-dereference: an integer that was converted to a pointer
#elif defined(REV_literal)
    char* text = (char*)"hello";
    text[z] = 'j'; //[literal]~ ERROR read-only-write: write of 1 byte to a string literal (6 bytes)
#else
    out[t] = node == nullptr;
#endif
}

int main() {
    int* d;
    cudaMalloc(&d, 32 * sizeof(int));
    k<<<1, 32>>>(d, nullptr, 0);
    cudaDeviceSynchronize();
    cudaFree(d);
#ifdef REV_library
    char line[8];
    fgets(line, sizeof line, nullptr); //[library]~ ERROR null-dereference: `fgets` is given a null pointer
#endif
    return 0;
}
