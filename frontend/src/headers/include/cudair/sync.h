/* Barriers, fences and what ends a thread. Each is one instruction. */
#ifndef CUDAIR_SYNC_H
#define CUDAIR_SYNC_H

extern "C" {
__device__ void __syncthreads(void);
__device__ int __syncthreads_count(int predicate);
__device__ int __syncthreads_and(int predicate);
__device__ int __syncthreads_or(int predicate);
__device__ void __syncwarp(unsigned int mask = 0xffffffffu);
__device__ void __barrier_sync(unsigned int id);
__device__ void __barrier_sync_count(unsigned int id, unsigned int count);

__device__ void __threadfence(void);
__device__ void __threadfence_block(void);
__device__ void __threadfence_system(void);

__device__ void __trap(void);
__device__ void __brkpt(void);
__device__ void __nanosleep(unsigned int nanoseconds);
/* `__syncthreads()` behind which all blocks of the grid have met, as code before it has seen to. */
__device__ void __cudair_grid_barrier(void);
/* Who waits in a loop lets others run. */
__host__ __device__ void __cudair_pause(void);
/* Which side the code runs on: as a whole condition of an `if`, of which only the branch for this side is lowered. */
__host__ __device__ bool __cudair_on_device(void);
}
/* The call in `noexcept(call)`, which the parser so does not check: for code of both sides that calls what is of the
   device alone where it runs there. */
template <typename R> __host__ __device__ R __cudair_here(bool);

/* Of launches that overlap with what they depend on: here a grid begins when what stands before it has ended. */
__CUDAIR_D void cudaGridDependencySynchronize(void) {}
__CUDAIR_D void cudaTriggerProgrammaticLaunchCompletion(void) {}

/* Counters of the hardware's profiler: no effect on a program. */
__CUDAIR_D void __prof_trigger(int counter) { (void)counter; }

#endif
