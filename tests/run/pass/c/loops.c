// Loops whose operations run in pairs: each kind, with heads of loops and branches into the middle.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N 37

static float f[N], g[N];
static double d[N], e[N];
static int v[N], w[N];
static unsigned bins[256];

struct Soa {
    float *x;
    int *next;
    struct Soa *link;
};

static float dot(const float *a, const float *b, int rows, int n)
{
    float sum = 0;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < n; k++)
            sum += a[i * n + k] * b[k * rows + i];
    return sum;
}

static double dots(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[n - 1 - i];
    for (int i = 0; i < n; i++)
        sum = sum + a[i];
    return sum;
}

static float around(const float *a, int i, int n)
{
    return a[i - n] + a[i + n] - a[i] - a[i + 1] + 0.5f * a[i - 1];
}

static int sorted(int *a, int n)
{
    int moves = 0;
    for (int i = 1; i < n; i++) {
        int x = a[i];
        int j = i - 1;
        while (j >= 0 && a[j] > x) {
            a[j + 1] = a[j];
            j--;
            moves++;
        }
        a[j + 1] = x;
    }
    return moves;
}

static int text(const char *s)
{
    int n = 0;
    for (; *s; s++) {
        signed char c = *s;
        if (c >= 'a' && c <= 'z')
            n += 3;
        else if (c < 0)
            n += 100;
        else if (c != ' ')
            n++;
    }
    return n;
}

static int length(const char *s)
{
    int i = 0;
    while (s[i])
        i++;
    return i;
}

static int chain(const struct Soa *s)
{
    int n = 0;
    for (; s; s = s->link)
        n = n * 3 + (int)s->x[s->next[1]] + *s->next;
    return n;
}

static int compare(int n)
{
    int r = 0;
    for (int i = 0; i + 1 < n; i++) {
        if (f[i] < f[i + 1])
            r += 1;
        if (f[i] <= g[i])
            r += 10;
        if (d[i] < d[i + 1])
            r += 100;
        if (d[i] <= e[i])
            r += 1000;
        if (v[i] == w[i])
            r += 10000;
        if (i & 1)
            r ^= 1;
    }
    return r;
}

// A loop entered in its middle.
static int middle(const int *a, int n)
{
    int i = 0, sum = 0;
    switch (n % 4) {
        for (; i < n;) {
        case 3:
            sum += a[i++];
        case 2:
            sum += a[i] * a[i + 1];
            i++;
        case 1:
            sum -= a[i++];
        case 0:
            sum ^= i;
        }
    }
    return sum;
}

static void count(const unsigned char *bytes, unsigned *into, int n)
{
    for (int i = 0; i < n; i++)
        into[bytes[i]]++;
}

static float total(const float *a, size_t n)
{
    float sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

static float minus(const float *a, const int *at, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        if (at[i] & 4)
            sum = sum - a[i];
        else
            sum = sum + a[at[i]];
    }
    return sum;
}

static float third(const struct Soa *s, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += s->x[i] * s->x[i];
    return sum;
}

int main(void)
{
    volatile int six = 6, three = 3, all = N;
    for (int i = 0; i < N; i++) {
        f[i] = (float)(i * 7 % 11) - 3.5f;
        g[i] = (float)(i * 5 % 13) * 0.25f;
        d[i] = (i * 3 % 17) * 0.125;
        e[i] = 1.0 / (i + 1);
        v[i] = i * 29 % 31;
        w[i] = i * 17 % 23;
    }
    printf("%.4f %.9f %.4f\n", dot(f, g, six, six), dots(d, e, all), around(f, 9, three));
    printf("%d\n", compare(N));
    printf("%d\n", sorted(v, N));
    for (int i = 1; i < N; i++)
        if (v[i - 1] > v[i])
            printf("not sorted at %d\n", i);
    unsigned char bytes[N];
    for (int i = 0; i < N; i++)
        bytes[i] = (unsigned char)(i * i);
    count(bytes, bins, all);
    unsigned local[256] = {0};
    for (int i = 0; i < N; i++)
        local[bytes[i]] += 2;
    count(bytes, local, all);
    unsigned hash = 0;
    for (size_t i = 0; i < 256; i++)
        hash = hash * 31 + bins[i] + local[i];
    printf("%u\n", hash);
    printf("%d %d\n", text("Some text \xff\x80 z{a`"), length("twelve chars"));
    struct Soa chained[3];
    for (int i = 0; i < 3; i++) {
        chained[i].x = f + i;
        chained[i].next = w + i;
        chained[i].link = i < 2 ? &chained[i + 1] : NULL;
    }
    printf("%d\n", chain(chained));
    for (int n = 8; n < 12; n++)
        printf("%d ", middle(w, n));
    printf("\n");
    printf("%.2f %.2f %.4f\n", total(f, (size_t)all), minus(f, w, all), third(chained, six));
    float nan = strtof("nan", NULL);
    float with[3] = {1, nan, 2};
    float sum = 0;
    for (int i = 0; i < 3; i++)
        sum += with[i] * f[i];
    printf("%d %d %d\n", sum == sum, with[0] < with[1], with[1] <= with[2]);
    return 0;
}
