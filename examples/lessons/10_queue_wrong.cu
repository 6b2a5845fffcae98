#include <stdio.h>

const unsigned CAPACITY = 16;

// A slot is free for the tickets of lap n at turn 2n, and full at turn 2n + 1.
struct Slot {
    unsigned turn;
    int value;
};

struct Queue {
    unsigned head, tail;
    Slot slots[CAPACITY];
};

__device__ void wait_for(Slot *slot, unsigned turn) {
    while (atomicAdd(&slot->turn, 0) != turn) {
    }
    __threadfence(); // What comes after it sees what was done before the turn.
}

__device__ void pass_on(Slot *slot, unsigned turn) {
    atomicExch(&slot->turn, turn);
}

__device__ void push(Queue *queue, int value) {
    unsigned ticket = atomicAdd(&queue->tail, 1), lap = ticket / CAPACITY;
    Slot *slot = &queue->slots[ticket % CAPACITY];
    wait_for(slot, 2 * lap);
    slot->value = value;
    pass_on(slot, 2 * lap + 1);
}

__device__ int pop(Queue *queue) {
    unsigned ticket = atomicAdd(&queue->head, 1), lap = ticket / CAPACITY;
    Slot *slot = &queue->slots[ticket % CAPACITY];
    wait_for(slot, 2 * lap + 1);
    int value = slot->value; //~ ERROR global-race
    pass_on(slot, 2 * lap + 2);
    return value;
}

__global__ void work(Queue *queue, int *sum) {
    push(queue, blockIdx.x * blockDim.x + threadIdx.x);
    atomicAdd(sum, pop(queue));
}

int main() {
    Queue *queue;
    int *sum, result;
    cudaMalloc(&queue, sizeof(Queue));
    cudaMalloc(&sum, sizeof(int));
    cudaMemset(queue, 0, sizeof(Queue));
    cudaMemset(sum, 0, sizeof(int));
    work<<<4, 32>>>(queue, sum);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    printf("%d\n", result);
    cudaFree(queue);
    cudaFree(sum);
}
