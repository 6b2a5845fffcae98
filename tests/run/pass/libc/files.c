/* stdio on files: writing, reading back, seeking, lines, errors. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    FILE *none = fopen("/surely/not/here", "r");
    printf("%d %d\n", none == NULL, errno == ENOENT);
    FILE *f = tmpfile();
    if (!f) return 1;
    fprintf(f, "first line\nsecond %d\n", 2);
    fputs("third\n", f);
    int numbers[3] = {1, 256, 65536};
    long where = ftell(f);
    printf("%zu %ld\n", fwrite(numbers, sizeof *numbers, 3, f), where);
    rewind(f);
    char line[32];
    while (ftell(f) < where && fgets(line, sizeof line, f)) printf("<%s>", strtok(line, "\n"));
    int back[4] = {0};
    printf("\n%zu", fread(back, sizeof *back, 4, f));
    printf(" %d %d %d %d\n", back[0], back[1], back[2], feof(f) != 0);
    fseek(f, 6, SEEK_SET);
    int c = fgetc(f);
    ungetc('L', f);
    printf("%c ", c);
    printf("%c ", fgetc(f));
    printf("%c\n", getc(f));
    fseek(f, -4, SEEK_END);
    int last;
    printf("%zu", fread(&last, 4, 1, f));
    printf(" %d\n", last);
    fseek(f, 11, SEEK_SET);
    char word[16];
    int n;
    printf("%d", fscanf(f, "%15s %d", word, &n));
    printf(" %s %d\n", word, n);
    printf("%d ", ferror(f));
    printf("%d\n", fclose(f));
    char name[] = "/tmp/cudair-test-XXXXXX";
    int fd = mkstemp(name);
    f = fdopen(fd, "w+");
    fprintf(f, "kept");
    fclose(f);
    f = fopen(name, "a");
    fprintf(f, " and added");
    fclose(f);
    f = fopen(name, "r");
    printf("%s\n", fgets(line, sizeof line, f));
    fclose(f);
    printf("%d\n", remove(name));
    printf("%d\n", fopen(name, "r") == NULL);
    return 0;
}
