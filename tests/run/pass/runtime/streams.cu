// Streams and events: what each call gives, and what it refuses.
#include <cstdio>

#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

__global__ void add(int *p, int n) { *p += n; }

static void CUDART_CB note(void *word) { *(int *)word += 100; }
static void CUDART_CB after(cudaStream_t, cudaError_t e, void *word) { *(int *)word += e == cudaSuccess ? 1000 : 0; }

int main() {
    cudaStream_t plain, apart, urgent, s;
    SAY(cudaStreamCreate(&plain));
    SAY(cudaStreamCreateWithFlags(&apart, cudaStreamNonBlocking));
    SAY(cudaStreamCreateWithPriority(&urgent, cudaStreamNonBlocking, -3));
    SAY(cudaStreamCreate(nullptr));
    SAY(cudaStreamCreateWithFlags(&s, 8));
    SAY(cudaStreamCreateWithPriority(&s, 0, -99));
    unsigned flags = 9;
    int priority = 9;
    SAY(cudaStreamGetPriority(s, &priority));
    printf("clamped to %d\n", priority);
    SAY(cudaStreamDestroy(s));
    SAY(cudaStreamGetFlags(apart, &flags));
    SAY(cudaStreamGetPriority(urgent, &priority));
    printf("flags %u priority %d\n", flags, priority);
    SAY(cudaStreamGetFlags(plain, &flags));
    SAY(cudaStreamGetPriority(0, &priority));
    printf("flags %u priority %d\n", flags, priority);
    SAY(cudaStreamGetFlags(plain, nullptr));
    unsigned long long one = 0, two = 0;
    SAY(cudaStreamGetId(plain, &one));
    SAY(cudaStreamGetId(apart, &two));
    int device = -1;
    SAY(cudaStreamGetDevice(plain, &device));
    printf("told apart: %d, on device %d\n", one != two, device);

    int *p, word = 0;
    cudaMallocManaged(&p, sizeof *p);
    *p = 0;
    cudaEvent_t before, done, mark;
    SAY(cudaEventCreate(&before));
    SAY(cudaEventCreateWithFlags(&done, cudaEventBlockingSync));
    SAY(cudaEventCreateWithFlags(&mark, cudaEventDisableTiming));
    SAY(cudaEventCreateWithFlags(&mark, 0x80));
    SAY(cudaEventCreate(nullptr));
    SAY(cudaEventQuery(done));
    SAY(cudaEventSynchronize(done));
    float ms = -1;
    SAY(cudaEventElapsedTime(&ms, before, done));
    SAY(cudaEventRecord(before, plain));
    add<<<1, 1, 0, plain>>>(p, 5);
    SAY(cudaEventRecordWithFlags(done, plain, cudaEventRecordDefault));
    SAY(cudaEventRecordWithFlags(done, plain, 77));
    SAY(cudaStreamWaitEvent(apart, done));
    SAY(cudaStreamWaitEvent(apart, done, 9));
    add<<<1, 1, 0, apart>>>(p, 7);
    SAY(cudaLaunchHostFunc(apart, note, &word));
    SAY(cudaLaunchHostFunc(apart, nullptr, &word));
    SAY(cudaStreamAddCallback(apart, after, &word, 0));
    SAY(cudaStreamAddCallback(apart, after, &word, 1));
    SAY(cudaEventRecord(mark, apart));
    SAY(cudaStreamSynchronize(apart));
    SAY(cudaStreamQuery(apart));
    printf("%d %d\n", *p, word);
    SAY(cudaEventQuery(done));
    SAY(cudaEventElapsedTime(&ms, before, done));
    printf("took time: %d\n", ms > 0);
    SAY(cudaEventElapsedTime_v2(&ms, before, done));
    SAY(cudaEventElapsedTime(&ms, before, mark));
    SAY(cudaEventElapsedTime(nullptr, before, done));

    SAY(cudaStreamDestroy(plain));
    SAY(cudaStreamDestroy(apart));
    SAY(cudaStreamDestroy(urgent));
    SAY(cudaStreamDestroy(nullptr));
    SAY(cudaEventDestroy(before));
    SAY(cudaEventDestroy(done));
    SAY(cudaEventDestroy(mark));
    cudaFree(p);
}
