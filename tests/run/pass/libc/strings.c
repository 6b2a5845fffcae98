/* string.h and ctype.h. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    char a[32] = "hello", b[32];
    printf("%zu %zu %zu\n", strlen(a), strlen(""), strnlen(a, 3));
    printf("%s", strcpy(b, a));
    printf(" %s\n", strcat(b, " world"));
    strncpy(b, "abcdefgh", 3);
    printf("%s\n", b);
    strncat(a, "12345", 2);
    printf("%s\n", a);
    printf("%d %d %d %d\n", sign(strcmp("a", "b")), sign(strcmp("b", "a")), strcmp("x", "x"),
           sign(strcmp("ab", "a")));
    printf("%d %d %d\n", strncmp("abc", "abd", 2), sign(strncmp("abc", "abd", 3)), strcasecmp("HeLLo", "hEllO"));
    printf("%s %s %d\n", strchr("path/to/file", '/'), strrchr("path/to/file", '/'), strchr("x", 'y') == NULL);
    printf("%s %d\n", strstr("haystack needle", "need"), strstr("a", "b") == NULL);
    printf("%zu %zu %s\n", strspn("aabbc", "ab"), strcspn("aabbc", "c"), strpbrk("a-b", "-+"));
    char text[] = "one,two,,three";
    for (char *t = strtok(text, ","); t; t = strtok(NULL, ",")) printf("<%s>", t);
    char again[] = "x y", *save;
    printf("%s ", strtok_r(again, " ", &save));
    printf("%s\n", strtok_r(NULL, " ", &save));
    unsigned char bytes[8];
    memset(bytes, 0xab, sizeof bytes);
    memcpy(bytes + 2, "\1\2\3", 3);
    for (int i = 0; i < 8; i++) printf("%02x ", bytes[i]);
    memmove(bytes + 3, bytes + 2, 4);
    for (int i = 0; i < 8; i++) printf("%02x ", bytes[i]);
    printf("\n%d %d %td\n", memcmp("abc", "abc", 3), sign(memcmp("abc", "abd", 3)),
           (unsigned char *)memchr(bytes, 3, 8) - bytes);
    char *copy = strdup("duplicate");
    printf("%s\n", copy);
    extern void free(void *);
    free(copy);
    for (const char *c = "aZ5 \n_%"; *c; c++)
        printf("%d%d%d%d%d%d%d ", !!isalpha(*c), !!isdigit(*c), !!isspace(*c), !!isupper(*c), !!ispunct(*c),
               !!isprint(*c), !!isalnum(*c));
    printf("%c%c %d %d\n", toupper('q'), tolower('Q'), !!isxdigit('f'), !!iscntrl('\t'));
    printf("%s\n", strerror(2));
    return 0;
}
