#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t barrier;
static sem_t slots;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static pthread_spinlock_t spin;
static int ready, total, rounds[3], last, once_ran, destroyed;
static __thread int own = 5;

static void first(void) { once_ran++; }
static void destroy(void *p)
{
    destroyed += *(int *)p;
    free(p);
}
static void *worker(void *arg)
{
    int id = *(int *)arg;
    pthread_once(&once, first);
    int *value = malloc(sizeof *value);
    *value = id;
    pthread_setspecific(key, value);
    own += id;
    pthread_mutex_lock(&gate);
    while (!ready) pthread_cond_wait(&changed, &gate);
    total += id;
    pthread_mutex_unlock(&gate);
    for (int r = 0; r < 3; r++) {
        pthread_mutex_lock(&gate);
        rounds[r]++;
        pthread_mutex_unlock(&gate);
        if (pthread_barrier_wait(&barrier) == PTHREAD_BARRIER_SERIAL_THREAD) last++;
        if (rounds[r] != 4) printf("a barrier let through too early\n");
        pthread_barrier_wait(&barrier);
    }
    sem_wait(&slots);
    usleep(100);
    sem_post(&slots);
    pthread_rwlock_rdlock(&readers);
    sched_yield();
    pthread_rwlock_unlock(&readers);
    pthread_spin_lock(&spin);
    total += own;
    sched_yield();
    pthread_spin_unlock(&spin);
    if (id == 2) pthread_exit((void *)20L);
    return (void *)(long)(10 + id);
}

int main(void)
{
    pthread_t threads[4];
    int ids[4] = {0, 1, 2, 3};
    pthread_barrier_init(&barrier, NULL, 4);
    sem_init(&slots, 0, 2);
    pthread_key_create(&key, destroy);
    pthread_spin_init(&spin, 0);
    for (int i = 0; i < 4; i++) pthread_create(&threads[i], NULL, worker, &ids[i]);
    pthread_mutex_lock(&gate);
    ready = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&gate);
    long results = 0;
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(threads[i], &result);
        results += (long)result;
    }
    printf("%d %ld %d %d %d %d %d\n", total, results, rounds[0] + rounds[1] + rounds[2], last, once_ran, destroyed, own);
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 1000000;
    if (until.tv_nsec >= 1000000000) until.tv_sec++, until.tv_nsec -= 1000000000;
    pthread_mutex_lock(&gate);
    int timed = pthread_cond_timedwait(&changed, &gate, &until);
    pthread_mutex_unlock(&gate);
    sem_wait(&slots), sem_wait(&slots);
    int tried = sem_trywait(&slots), why = errno;
    printf("%d %d %d\n", timed == ETIMEDOUT, tried, why == EAGAIN);
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_t checked;
    pthread_mutex_init(&checked, &attr);
    pthread_mutex_lock(&checked);
    printf("%d %d\n", pthread_mutex_lock(&checked) == EDEADLK, pthread_mutex_trylock(&checked) == EBUSY);
    printf("%d\n", pthread_join(pthread_self(), NULL) == EDEADLK);
    return 0;
}
