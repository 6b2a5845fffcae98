// Streams over memory of the program.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "hello %d", 42);
    fflush(f);
    printf("%zu %s\n", size, text);
    fputs(", and more", f);
    for (int i = 0; i < 100; i++) fprintf(f, " %d", i);
    fclose(f);
    printf("%zu %s\n", size, text);
    free(text);
    char buffer[32] = "12 34 five";
    f = fmemopen(buffer, strlen(buffer), "r");
    int a, b;
    char word[10];
    printf("%d\n", fscanf(f, "%d %d %9s", &a, &b, word));
    printf("%d %d %s %d\n", a, b, word, fgetc(f));
    printf("%d\n", feof(f) != 0);
    rewind(f);
    printf("%c\n", fgetc(f));
    fclose(f);
    f = fmemopen(buffer, sizeof buffer, "w");
    fprintf(f, "%s-%d", "out", 7);
    printf("%ld\n", ftell(f));
    fclose(f);
    printf("%s\n", buffer);
    f = fmemopen(NULL, 16, "w+");
    fputs("own", f);
    rewind(f);
    printf("%s\n", fgets(word, sizeof word, f));
    fclose(f);
    return 0;
}
