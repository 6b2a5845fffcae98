// A thread that a stream's callback creates comes after what the stream did before it.
#include <cstdio>
#include <pthread.h>

struct Work {
    int* host;
    int* device;
    int ok;
};

pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
int done;

__global__ void fill(int* p, int n) {
    if (threadIdx.x < n)
        p[threadIdx.x] = threadIdx.x * 3;
}

void* look(void* data) {
    Work* w = (Work*)data;
    w->ok = 1;
    for (int i = 0; i < 32; i++)
        w->ok &= w->host[i] == i * 3;
    pthread_mutex_lock(&mutex);
    done++;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&mutex);
    return nullptr;
}

void CUDART_CB called(void* data) {
    pthread_t thread;
    pthread_create(&thread, nullptr, look, data);
}

int main() {
    Work work[2];
    cudaStream_t streams[2];
    for (int i = 0; i < 2; i++) {
        Work& w = work[i];
        cudaStreamCreate(&streams[i]);
        cudaHostAlloc(&w.host, 32 * sizeof(int), cudaHostAllocPortable);
        cudaMalloc(&w.device, 32 * sizeof(int));
        fill<<<1, 32, 0, streams[i]>>>(w.device, 32);
        cudaMemcpyAsync(w.host, w.device, 32 * sizeof(int), cudaMemcpyDeviceToHost, streams[i]);
        cudaLaunchHostFunc(streams[i], called, &w);
    }
    // Only the threads tell that the streams are done.
    pthread_mutex_lock(&mutex);
    while (done < 2)
        pthread_cond_wait(&changed, &mutex);
    pthread_mutex_unlock(&mutex);
    printf("%d %d\n", work[0].ok, work[1].ok);
    for (int i = 0; i < 2; i++) {
        cudaFreeHost(work[i].host);
        cudaFree(work[i].device);
        cudaStreamDestroy(streams[i]);
    }
}
