// The C library's functions are checked where they are called.
// revisions: fine strcpy memcpy unterminated
#include <stdio.h>
#include <string.h>

int main(void) {
    char small[6], letters[3] = {'a', 'b', 'c'};
#if defined(REV_strcpy)
    strcpy(small, "sixsix"); //[strcpy]~ ERROR out-of-bounds
#elif defined(REV_memcpy)
    memcpy(small, "exactly", 7); //[memcpy]~ ERROR out-of-bounds
#elif defined(REV_unterminated)
    printf("%zu\n", strlen(letters)); //[unterminated]~ ERROR out-of-bounds
#else
    strcpy(small, "fifth");
    memcpy(small, letters, 3);
    printf("%s %zu %.3s\n", small, strlen(small), letters);
#endif
    return 0;
}
