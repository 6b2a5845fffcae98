// POSIX: directories, files, mappings, threads, clocks.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <unistd.h>
#include <fcntl.h>
#include <errno.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/utsname.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <pthread.h>
#include <time.h>
#include <libgen.h>
#include <strings.h>
#include <signal.h>
static int cmp(const void *a, const void *b) {
    return strcmp(*(char **)a, *(char **)b);
}
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static int counter;
static void *work(void *p) {
    for (int i = 0; i < 10; i++) {
        pthread_mutex_lock(&mu);
        counter += *(int *)p;
        pthread_mutex_unlock(&mu);
    }
    return (void *)(long)(*(int *)p * 2);
}
int main(void) {
    // A folder of the process's own: the program may run twice at a time.
    char folder[40];
    snprintf(folder, sizeof folder, "/tmp/cudair_native_%d", (int)getpid());
    mkdir(folder, 0755);
    printf("%d\n", chdir(folder));
    close(open("a", O_CREAT | O_WRONLY, 0644));
    close(creat("b", 0600));
    mkdir("sub", 0700);
    DIR *d = opendir(folder);
    struct dirent *e;
    char *names[10];
    int n = 0;
    while ((e = readdir(d))) {
        if (e->d_name[0] == '.') continue;
        names[n] = malloc(20);
        sprintf(names[n++], "%s:%d", e->d_name, e->d_type == DT_DIR);
    }
    closedir(d);
    qsort(names, n, sizeof *names, cmp);
    for (int i = 0; i < n; i++) {
        puts(names[i]);
        free(names[i]);
    }
    printf("%d\n", opendir("/nonexist") == NULL && errno == ENOENT);
    struct utsname u;
    printf("%d %s\n", uname(&u), u.sysname);
    int fd = open("a", O_RDWR);
    printf("%zd\n", write(fd, "hello world", 11));
    lseek(fd, 6, SEEK_SET);
    char b[20] = {0};
    printf("%zd %s\n", read(fd, b, 5), b);
    struct stat st;
    fstat(fd, &st);
    printf("%ld %d %d %o\n", (long)st.st_size, S_ISREG(st.st_mode), S_ISDIR(st.st_mode), st.st_mode & 0777);
    char *m = mmap(NULL, 11, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (m == MAP_FAILED) perror("mmap");
    printf("%.5s\n", m);
    m[0] = 'J';
    msync(m, 11, MS_SYNC);
    munmap(m, 11);
    lseek(fd, 0, SEEK_SET);
    read(fd, b, 5);
    printf("%s\n", b);
    ftruncate(fd, 3);
    fstat(fd, &st);
    printf("%ld\n", (long)st.st_size);
    close(fd);
    m = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    m[8191] = 1;
    printf("%d %d\n", m[0], m[8191]);
    munmap(m, 8192);
    stat(folder, &st);
    printf("%d %d %d\n", S_ISDIR(st.st_mode), access("a", R_OK), access("/tmp/cudair_native_nope", F_OK));
    rename("b", "c");
    printf("%d %d\n", unlink("a"), unlink("c"));
    printf("%d\n", rmdir("sub"));
    printf("%d\n", chdir("/tmp"));
    printf("%d\n", rmdir(folder));
    printf("%d\n", rmdir(folder));
    pthread_t t[3];
    int k[3] = {1, 2, 3};
    for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, work, &k[i]);
    long tot = 0;
    for (int i = 0; i < 3; i++) {
        void *r;
        pthread_join(t[i], &r);
        tot += (long)r;
    }
    printf("%d %ld\n", counter, tot);
    struct timeval tv;
    gettimeofday(&tv, NULL);
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    printf("%d %d %d\n", tv.tv_sec > 1600000000, tv.tv_usec < 1000000, ts.tv_nsec < 1000000000);
    clock_t c = clock();
    printf("%d %ld\n", c >= 0, (long)CLOCKS_PER_SEC);
    struct rusage ru;
    printf("%d\n", getrusage(RUSAGE_SELF, &ru));
    char p1[] = "/usr/lib/x.so", p2[] = "/usr/lib/x.so";
    printf("%s %s\n", basename(p1), dirname(p2));
    char cwd[200];
    printf("%d\n", getcwd(cwd, 200) != NULL);
    printf("%d %ld %d\n", getpid() > 0, sysconf(_SC_PAGESIZE), sysconf(_SC_NPROCESSORS_ONLN) > 0);
    printf("%d\n", isatty(0));
    char host[100];
    printf("%d\n", gethostname(host, 100));
    char tmpl[] = "/tmp/cudair_native_fooXXXXXX";
    fd = mkstemp(tmpl);
    printf("%d %zu\n", fd >= 0, strlen(tmpl));
    FILE *f = fdopen(fd, "w");
    fprintf(f, "x");
    fclose(f);
    stat(tmpl, &st);
    printf("%ld\n", (long)st.st_size);
    remove(tmpl);
    printf("%d\n", ffs(8));
    FILE *tf = tmpfile();
    fputs("abc", tf);
    rewind(tf);
    printf("%d\n", fgetc(tf));
    fclose(tf);
    char *as;
    asprintf(&as, "%d-%s", 5, "x");
    puts(as);
    free(as);
    void *mem = memmem("hello", 5, "ll", 2);
    printf("%s\n", (char *)mem);
    usleep(10);
    char *rp = realpath("/tmp/../tmp", NULL);
    puts(rp);
    free(rp);
    signal(SIGINT, SIG_IGN);
    return 0;
}
