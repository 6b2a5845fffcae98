/* Where neighbours in a block differ. */
#ifndef CUDAIR_CUB_BLOCK_DISCONTINUITY_H
#define CUDAIR_CUB_BLOCK_DISCONTINUITY_H

#include <cub/detail/block_shape.cuh>

namespace cub {

/* Each thread's items follow each other. What stands before the block's first item, or after its last, may be given. */
template <typename T, int BLOCK_DIM_X, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1, int LEGACY_PTX_ARCH = 0> class BlockDiscontinuity {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    struct Storage {
        T first[THREADS];
        T last[THREADS];
    };
    Storage& storage;
    int tid;
    __device__ static Storage& own() {
        __shared__ Storage shared;
        return shared;
    }
    /* Operators may also ask for the second item's place. */
    template <typename Op> __device__ static auto differ(Op& op, const T& a, const T& b, int i, int) -> decltype(bool(op(a, b, i))) { return op(a, b, i); }
    template <typename Op> __device__ static bool differ(Op& op, const T& a, const T& b, int, long) { return op(a, b); }
    template <int ITEMS> __device__ void share(T (&items)[ITEMS]) {
        storage.first[tid] = items[0];
        storage.last[tid] = items[ITEMS - 1];
        __syncthreads();
    }
    template <int ITEMS, typename Flag, typename Op> __device__ void heads(Flag (&flags)[ITEMS], T (&items)[ITEMS], Op op, const T* before) {
        for (int i = 1; i < ITEMS; i++) flags[i] = differ(op, items[i - 1], items[i], tid * ITEMS + i, 0);
        if (tid > 0) flags[0] = differ(op, storage.last[tid - 1], items[0], tid * ITEMS, 0);
        else flags[0] = before ? differ(op, *before, items[0], 0, 0) : 1;
    }
    template <int ITEMS, typename Flag, typename Op> __device__ void tails(Flag (&flags)[ITEMS], T (&items)[ITEMS], Op op, const T* after) {
        for (int i = 0; i + 1 < ITEMS; i++) flags[i] = differ(op, items[i], items[i + 1], tid * ITEMS + i + 1, 0);
        if (tid + 1 < THREADS) flags[ITEMS - 1] = differ(op, items[ITEMS - 1], storage.first[tid + 1], (tid + 1) * ITEMS, 0);
        else flags[ITEMS - 1] = after ? differ(op, items[ITEMS - 1], *after, THREADS * ITEMS, 0) : 1;
    }

public:
    typedef Storage TempStorage;
    __device__ BlockDiscontinuity() : storage(own()), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    __device__ BlockDiscontinuity(TempStorage& temp) : storage(temp), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {}
    template <int ITEMS, typename Flag, typename Op> __device__ void FlagHeads(Flag (&flags)[ITEMS], T (&items)[ITEMS], Op op) {
        share(items);
        heads(flags, items, op, nullptr);
    }
    template <int ITEMS, typename Flag, typename Op> __device__ void FlagHeads(Flag (&flags)[ITEMS], T (&items)[ITEMS], Op op, T before) {
        share(items);
        heads(flags, items, op, &before);
    }
    template <int ITEMS, typename Flag, typename Op> __device__ void FlagTails(Flag (&flags)[ITEMS], T (&items)[ITEMS], Op op) {
        share(items);
        tails(flags, items, op, nullptr);
    }
    template <int ITEMS, typename Flag, typename Op> __device__ void FlagTails(Flag (&flags)[ITEMS], T (&items)[ITEMS], Op op, T after) {
        share(items);
        tails(flags, items, op, &after);
    }
    template <int ITEMS, typename Flag, typename Op>
    __device__ void FlagHeadsAndTails(Flag (&head)[ITEMS], Flag (&tail)[ITEMS], T (&items)[ITEMS], Op op) {
        share(items);
        heads(head, items, op, nullptr);
        tails(tail, items, op, nullptr);
    }
    template <int ITEMS, typename Flag, typename Op>
    __device__ void FlagHeadsAndTails(Flag (&head)[ITEMS], Flag (&tail)[ITEMS], T after, T (&items)[ITEMS], Op op) {
        share(items);
        heads(head, items, op, nullptr);
        tails(tail, items, op, &after);
    }
    template <int ITEMS, typename Flag, typename Op>
    __device__ void FlagHeadsAndTails(Flag (&head)[ITEMS], T before, Flag (&tail)[ITEMS], T (&items)[ITEMS], Op op) {
        share(items);
        heads(head, items, op, &before);
        tails(tail, items, op, nullptr);
    }
    template <int ITEMS, typename Flag, typename Op>
    __device__ void FlagHeadsAndTails(Flag (&head)[ITEMS], T before, Flag (&tail)[ITEMS], T after, T (&items)[ITEMS], Op op) {
        share(items);
        heads(head, items, op, &before);
        tails(tail, items, op, &after);
    }
};

}

#endif
