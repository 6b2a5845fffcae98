/* OpenMP's library as one thread sees it: pragmas are passed over, and loops run serially. */
#ifndef CUDAIR_OMP_H
#define CUDAIR_OMP_H

#ifdef __cplusplus
extern "C" {
#define __CUDAIR_OMP_NOTHROW noexcept
#else
#define __CUDAIR_OMP_NOTHROW
#endif

typedef struct omp_lock_t { int taken; } omp_lock_t;
typedef struct omp_nest_lock_t { int taken; } omp_nest_lock_t;
typedef enum omp_sched_t {
    omp_sched_static = 1,
    omp_sched_dynamic = 2,
    omp_sched_guided = 3,
    omp_sched_auto = 4
} omp_sched_t;

void omp_set_num_threads(int) __CUDAIR_OMP_NOTHROW;
int omp_get_num_threads(void) __CUDAIR_OMP_NOTHROW;
int omp_get_max_threads(void) __CUDAIR_OMP_NOTHROW;
int omp_get_thread_num(void) __CUDAIR_OMP_NOTHROW;
int omp_get_num_procs(void) __CUDAIR_OMP_NOTHROW;
int omp_get_thread_limit(void) __CUDAIR_OMP_NOTHROW;
int omp_in_parallel(void) __CUDAIR_OMP_NOTHROW;
void omp_set_dynamic(int) __CUDAIR_OMP_NOTHROW;
int omp_get_dynamic(void) __CUDAIR_OMP_NOTHROW;
void omp_set_nested(int) __CUDAIR_OMP_NOTHROW;
int omp_get_nested(void) __CUDAIR_OMP_NOTHROW;
int omp_get_level(void) __CUDAIR_OMP_NOTHROW;
int omp_get_num_devices(void) __CUDAIR_OMP_NOTHROW;
double omp_get_wtime(void) __CUDAIR_OMP_NOTHROW;
double omp_get_wtick(void) __CUDAIR_OMP_NOTHROW;

/* A lock of the one thread there is: who sets one that is set waits for ever. */
static inline void omp_init_lock(omp_lock_t *lock) { lock->taken = 0; }
static inline void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
static inline void omp_set_lock(omp_lock_t *lock) { while (lock->taken) { } lock->taken = 1; }
static inline void omp_unset_lock(omp_lock_t *lock) { lock->taken = 0; }
static inline int omp_test_lock(omp_lock_t *lock) { return lock->taken ? 0 : (lock->taken = 1); }
static inline void omp_init_nest_lock(omp_nest_lock_t *lock) { lock->taken = 0; }
static inline void omp_destroy_nest_lock(omp_nest_lock_t *lock) { (void)lock; }
static inline void omp_set_nest_lock(omp_nest_lock_t *lock) { lock->taken++; }
static inline void omp_unset_nest_lock(omp_nest_lock_t *lock) { lock->taken--; }
static inline int omp_test_nest_lock(omp_nest_lock_t *lock) { return ++lock->taken; }

#ifdef __cplusplus
}
#endif
#undef __CUDAIR_OMP_NOTHROW

#endif
