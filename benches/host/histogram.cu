// Bytes counted into 256 bins, then a running sum of the bins.
#include "host.h"

#define N (1 << 24)

static void histogram_cpu(const unsigned char *data, unsigned *bins, int n)
{
    for (int i = 0; i < n; i++)
        bins[data[i]]++;
}

int main(void)
{
    unsigned char *data = (unsigned char *)malloc(N);
    unsigned bins[256] = {0};
    for (int i = 0; i < N; i++)
        data[i] = (unsigned char)(host_random() >> 4);
    host_begin();
    histogram_cpu(data, bins, N);
    host_end();
    unsigned sum = 0;
    for (int i = 0; i < 256; i++)
        sum = sum * 31u + bins[i];
    printf("%u\n", sum);
    free(data);
    return 0;
}
