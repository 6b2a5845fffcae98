// Memory from the system, and what it calls itself.
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>

int main(void) {
    size_t size = 10000;
    char* p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED)
        return 1;
    int zeros = 1;
    for (size_t i = 0; i < size; i++)
        zeros = zeros && p[i] == 0;
    printf("%d %d\n", zeros, (int)((size_t)p % 4096));
    p[size] = 1; // still in the last page
    strcpy(p, "mapped");
    puts(p);
    printf("%d\n", munmap(p, size));
    printf("%d\n", mmap(NULL, 0, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED);

    struct utsname name;
    printf("%d %s\n", uname(&name), name.sysname);
}
