// Threads of the host that launch into streams of their own, wait for events of each other, and are called back.
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

__global__ void scale(float *v, int n, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) v[i] *= by;
}

__global__ void count(int *c) { atomicAdd(c, 1); }

struct Gate {
    std::mutex lock;
    std::condition_variable changed;
    int calls = 0;
};

void CUDART_CB called(void *data) {
    Gate *gate = static_cast<Gate *>(data);
    std::lock_guard<std::mutex> guard(gate->lock);
    gate->calls++;
    gate->changed.notify_one();
}

int main() {
    const int n = 256, workers = 4;
    std::vector<std::vector<float>> host(workers, std::vector<float>(n, 1.0f));
    std::vector<std::thread> threads;
    for (int w = 0; w < workers; w++)
        threads.emplace_back([&, w] {
            cudaSetDevice(0);
            cudaStream_t stream;
            cudaStreamCreate(&stream);
            float *d;
            cudaMallocAsync(&d, n * sizeof(float), stream);
            cudaMemcpyAsync(d, host[w].data(), n * sizeof(float), cudaMemcpyHostToDevice, stream);
            for (int i = 0; i < 3; i++) {
                scale<<<2, 128, 0, stream>>>(d, n, w + 1.0f);
                std::this_thread::yield();
            }
            cudaMemcpyAsync(host[w].data(), d, n * sizeof(float), cudaMemcpyDeviceToHost, stream);
            cudaFreeAsync(d, stream);
            cudaStreamSynchronize(stream);
            cudaStreamDestroy(stream);
        });
    for (auto &t : threads) t.join();
    for (auto &h : host) printf("%g ", h[n - 1]);
    printf("\n");

    // A function that a stream calls tells a thread that waits.
    Gate gate;
    int *c;
    cudaMallocManaged(&c, sizeof(int));
    *c = 0;
    std::thread waiter([&] {
        std::unique_lock<std::mutex> lock(gate.lock);
        gate.changed.wait(lock, [&] { return gate.calls == 2; });
        printf("called %d times\n", gate.calls);
    });
    for (int i = 0; i < 2; i++) {
        count<<<1, 32>>>(c);
        cudaLaunchHostFunc(0, called, &gate);
    }
    waiter.join();
    cudaDeviceSynchronize();
    printf("%d\n", *c);

    // One thread records an event, another waits for it.
    cudaEvent_t ready;
    cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
    std::promise<void> recorded;
    cudaStream_t first, second;
    cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
    std::thread producer([&] {
        count<<<1, 64, 0, first>>>(c);
        cudaEventRecord(ready, first);
        recorded.set_value();
    });
    std::thread consumer([&] {
        recorded.get_future().wait();
        cudaStreamWaitEvent(second, ready, 0);
        count<<<1, 1, 0, second>>>(c);
        cudaStreamSynchronize(second);
    });
    producer.join();
    consumer.join();
    printf("%d\n", *c);

    // Each thread has its own last error.
    std::thread wrong([] {
        void *p;
        printf("%d ", cudaMalloc(&p, ~size_t(0)) == cudaErrorMemoryAllocation);
        printf("%d ", cudaPeekAtLastError() == cudaErrorMemoryAllocation);
        std::this_thread::yield();
        printf("%d\n", cudaGetLastError() == cudaErrorMemoryAllocation);
    });
    std::this_thread::yield();
    printf("%d\n", cudaGetLastError() == cudaSuccess);
    wrong.join();
    cudaEventDestroy(ready);
    cudaStreamDestroy(first);
    cudaStreamDestroy(second);
    cudaFree(c);
    return 0;
}
