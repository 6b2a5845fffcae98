/* Writes to what is constant: a literal, a const variable, through casts; copies may be written. */
// revisions: literal constant table function fine
#include <stdio.h>
#include <string.h>

static const int limit = 3;
static const char *const names[] = {"one", "two"};

static void upper(char *s) {
    for (; *s; s++)
        *s -= 32; //[function]~ ERROR read-only-write
}

int main(void) {
    char copy[8];
#if defined(REV_literal)
    char *s = "text";
    s[0] = 'T'; //[literal]~ ERROR read-only-write
#elif defined(REV_constant)
    *(int *)&limit = 4; //[constant]~ ERROR read-only-write
#elif defined(REV_table)
    *(const char **)&names[1] = "three"; //[table]~ ERROR read-only-write
#elif defined(REV_function)
    upper((char *)names[0]);
#else
    char s[] = "text";
    const int here = 5;
    const char *moving = names[1];
    s[0] = 'T';
    moving = names[0];
    strcpy(copy, moving);
    upper(copy);
    printf("%s %s %d\n", s, copy, here + limit);
#endif
    (void)copy;
    return 0;
}
