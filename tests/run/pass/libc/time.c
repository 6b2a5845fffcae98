/* time.h and sys/time.h: what can be said without knowing the time. */
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    time_t a = time(NULL), b;
    time(&b);
    printf("%d %d\n", a > 1600000000, b >= a);
    clock_t c1 = clock(), c2 = clock();
    printf("%d %ld\n", c2 >= c1, (long)CLOCKS_PER_SEC);
    struct timeval tv;
    printf("%d", gettimeofday(&tv, NULL));
    printf(" %d\n", tv.tv_sec >= a);
    struct timespec ts;
    printf("%d", clock_gettime(CLOCK_MONOTONIC, &ts));
    printf(" %d\n", ts.tv_nsec < 1000000000);
    time_t fixed = 86400L * 365;
    struct tm *tm = gmtime(&fixed);
    printf("%d %d %d %d\n", tm->tm_year, tm->tm_mon, tm->tm_mday, tm->tm_yday);
    char text[64];
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S", tm);
    printf("%s\n", text);
    printf("%g\n", difftime(fixed + 10, fixed));
    printf("%s", asctime(tm));
    return 0;
}
