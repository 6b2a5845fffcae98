// Integers: a sieve, Collatz's sequences, a CRC by bits, greatest common divisors, a dynamic programme.
#include "host.h"

#define N 1000000

static char composite[N];
static int table[512][512];

static int sieve(int n)
{
    int count = 0;
    for (int i = 2; i < n; i++) {
        if (composite[i])
            continue;
        count++;
        for (long long j = (long long)i * i; j < n; j += i)
            composite[j] = 1;
    }
    return count;
}

static int collatz(int n)
{
    int longest = 0;
    for (int i = 1; i < n; i++) {
        unsigned long long x = i;
        int steps = 0;
        while (x != 1) {
            x = x % 2 == 0 ? x / 2 : 3 * x + 1;
            steps++;
        }
        if (steps > longest)
            longest = steps;
    }
    return longest;
}

static unsigned crc(const char *data, int n)
{
    unsigned r = ~0u;
    for (int i = 0; i < n; i++) {
        r ^= (unsigned char)data[i];
        for (int b = 0; b < 8; b++)
            r = r & 1 ? r >> 1 ^ 0xedb88320u : r >> 1;
    }
    return ~r;
}

static int gcd(int a, int b)
{
    while (b) {
        int t = a % b;
        a = b;
        b = t;
    }
    return a;
}

static int common(const int *a, const int *b, int n)
{
    for (int i = 1; i < n; i++) {
        for (int j = 1; j < n; j++) {
            if (a[i] == b[j])
                table[i][j] = table[i - 1][j - 1] + 1;
            else
                table[i][j] = table[i - 1][j] > table[i][j - 1] ? table[i - 1][j] : table[i][j - 1];
        }
    }
    return table[n - 1][n - 1];
}

int main(void)
{
    int a[512], b[512];
    for (int i = 0; i < 512; i++) {
        a[i] = (int)(host_random() >> 4) % 7;
        b[i] = (int)(host_random() >> 4) % 7;
    }
    host_begin();
    int primes = sieve(N);
    int longest = collatz(20000);
    unsigned check = crc(composite, N / 4);
    int g = 0;
    for (int i = 1; i < 600; i++)
        for (int j = 1; j < 600; j++)
            g += gcd(i, j);
    int c = common(a, b, 512);
    host_end();
    printf("%d %d %u %d %d\n", primes, longest, check, g, c);
    return 0;
}
