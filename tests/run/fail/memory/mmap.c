// Memory from the system: an access behind the last page, one after it was given back, one that is never given back.
// revisions: fine behind after never
#include <sys/mman.h>

int main(void) {
    char* p = mmap(0, 5000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    //[never]~^ WARNING memory-leak
#if defined(REV_behind)
    p[8192] = 1; //[behind]~ ERROR out-of-bounds: just past the end
#else
    p[8191] = 1;
#endif
#if !defined(REV_never)
    munmap(p, 5000);
#endif
#if defined(REV_after)
    return p[0]; //[after]~ ERROR use-after-free
#endif
    return 0;
}
