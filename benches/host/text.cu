// Loops over characters: words counted, letters made large, a hash of every word, a search.
#include "host.h"
#include <ctype.h>
#include <string.h>

#define N (1 << 22)

static int words(const char *s)
{
    int n = 0;
    int in = 0;
    for (; *s != '\0'; s++) {
        if (*s == ' ' || *s == '\n') {
            in = 0;
        } else if (!in) {
            in = 1;
            n++;
        }
    }
    return n;
}

static void upper(char *s)
{
    for (size_t i = 0; s[i]; i++) {
        char c = s[i];
        if (c >= 'a' && c <= 'z')
            s[i] = (char)(c - 'a' + 'A');
    }
}

static unsigned hashes(const char *s)
{
    unsigned all = 0;
    unsigned h = 2166136261u;
    for (; *s; s++) {
        if (*s == ' ') {
            all ^= h;
            h = 2166136261u;
        } else {
            h = (h ^ (unsigned char)*s) * 16777619u;
        }
    }
    return all ^ h;
}

static int find(const char *s, const char *what)
{
    int n = 0;
    for (int i = 0; s[i]; i++) {
        int j = 0;
        while (what[j] && s[i + j] == what[j])
            j++;
        if (!what[j])
            n++;
    }
    return n;
}

int main(void)
{
    char *s = (char *)malloc(N + 1);
    for (int i = 0; i < N; i++) {
        unsigned r = host_random() >> 4;
        s[i] = r % 6 == 0 ? ' ' : (char)('a' + r % 26);
    }
    s[N] = '\0';
    host_begin();
    int n = words(s);
    upper(s);
    unsigned h = hashes(s);
    int f = find(s, "CUD");
    host_end();
    printf("%d %u %d %zu\n", n, h, f, strlen(s));
    free(s);
    return 0;
}
