// What is never freed is a warning, for each allocator; the exit code is the program's own.
#include <stdio.h>
#include <stdlib.h>

int main() {
    int *dev, *pinned;
    cudaMalloc(&dev, 16); //~ WARNING memory-leak
    cudaMallocHost(&pinned, 16); //~ WARNING memory-leak
    char *text = (char *)malloc(10); //~ WARNING memory-leak
    char *kept = (char *)malloc(10);
    free(kept);
    printf("%d\n", text != NULL);
    return 0;
}
