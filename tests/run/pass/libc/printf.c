/* The printf family: every conversion, flag, width, precision and length. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

int main(void) {
    printf("[%d|%i|%5d|%-5d|%05d|%+d|% d|%+5d|%-+5d|%.3d|%8.3d|%-8.3d|%08.3d]\n", 42, -42, 42, 42, 42, 42, 42,
           42, 42, 7, 7, 7, 7);
    printf("[%.0d|%.d|%5.0d|%d]\n", 0, 0, 0, 0);
    printf("[%u|%o|%x|%X|%#o|%#x|%#X|%#x|%#o|%010u]\n", 42u, 42u, 0xbeefu, 0xbeefu, 42u, 42u, 0xabcu, 0u, 0u,
           42u);
    printf("[%hhd|%hhu|%hd|%hu|%ld|%lu|%lld|%llu|%jd|%zu|%zd|%td]\n", 300, 300, 70000, 70000, -5L, 5UL,
           -6000000000LL, 6000000000ULL, (intmax_t)-7, (size_t)8, (ptrdiff_t)-9, (ptrdiff_t)10);
    printf("[%c|%5c|%-5c|%c]\n", 'a', 'b', 'c', 65);
    printf("[%s|%10s|%-10s|%.2s|%10.2s|%-10.2s|%.0s|%.*s|%*s]\n", "text", "text", "text", "text", "text",
           "text", "text", 3, "text", -6, "text");
    printf("[%f|%.0f|%.1f|%#.0f|%10.2f|%-10.2f|%010.2f|%+f|% f]\n", 3.14159, 2.5, 0.25, 3.0, 3.14159, 3.14159,
           -3.14159, 3.14159, 3.14159);
    printf("[%e|%.2e|%E|%.0e|%#.0e|%12.3e]\n", 12345.6789, 12345.6789, 0.00012, 5.0, 5.0, -1.5);
    printf("[%g|%g|%g|%g|%G|%.3g|%#g|%.10g|%g]\n", 100000.0, 1000000.0, 0.0001, 0.00001, 1e-10, 1234.5, 1.5,
           1.0 / 3, 0.0);
    printf("[%a|%A|%.2a|%a]\n", 1.0, 255.5, 3.14159, 0.0);
    printf("[%f|%F|%e|%5.1f|%-8g|%08f]\n", 1.0 / 0.0, -1.0 / 0.0, 1.0 / 0.0, 1.0 / 0.0, -1.0 / 0.0, 1.0 / 0.0);
    printf("[%Lf|%.3Le|%Lg]\n", 1.25L, 12345.678L, 0.1L);
    printf("[%.15f|%.20f|%.17g]\n", 0.1, 0.1, 0.1);
    printf("[%.3f|%.3f|%.3f|%.3f]\n", 0.0005, 0.0015, 2.0005, 1e15 + 0.3);
    printf("[%f|%.1f|%g]\n", 1e22, 123456789012345678.0, 1e-320);
    printf("[%%|%c]\n", '%');
    printf("[%p|%p]\n", (void *)0, (void *)0x1234);
    int n1 = -1, n2 = -1;
    printf("12345%n678%n\n", &n1, &n2);
    printf("%d %d\n", n1, n2);
    printf("[%2$s %1$d %2$s]\n", 5, "five");
    printf("[%'d|%ls|%lc]\n", 1234567, L"wide", (wint_t)L'w');
    char buffer[32];
    int written = sprintf(buffer, "%s-%03d", "abc", 7);
    printf("%d %s\n", written, buffer);
    written = snprintf(buffer, 5, "%s", "truncated");
    printf("%d %s\n", written, buffer);
    written = snprintf(NULL, 0, "%d", 123456);
    printf("%d\n", written);
    memset(buffer, 'x', sizeof buffer);
    snprintf(buffer, 1, "%d", 9);
    printf("%d %c\n", buffer[0], buffer[1]);
    fprintf(stdout, "%s %d\n", "stdout", 1);
    fprintf(stderr, "%s\n", "stderr");
    fputs("puts ", stdout);
    puts("line");
    putchar('c');
    fputc('\n', stdout);
    printf("%d\n", printf("four"));
    fwrite("raw\0bytes", 1, 9, stdout);
    putc('\n', stdout);
    return 0;
}
