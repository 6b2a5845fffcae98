/* Runs of a block, of which windows are written out. */
#ifndef CUDAIR_CUB_BLOCK_RUN_LENGTH_DECODE_H
#define CUDAIR_CUB_BLOCK_RUN_LENGTH_DECODE_H

#include <cub/block/block_scan.cuh>

namespace cub {

template <typename T, int BLOCK_DIM_X, int RUNS, int DECODED, typename Offset = unsigned, int BLOCK_DIM_Y = 1, int BLOCK_DIM_Z = 1>
class BlockRunLengthDecode {
    enum { THREADS = BLOCK_DIM_X * BLOCK_DIM_Y * BLOCK_DIM_Z };
    typedef BlockScan<Offset, BLOCK_DIM_X, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_DIM_Y, BLOCK_DIM_Z> Scan;
    struct Storage {
        typename Scan::TempStorage scan;
        T values[THREADS * RUNS];
        Offset starts[THREADS * RUNS];
    };
    Storage& storage;
    int tid;

    template <typename Length> __device__ Offset prepare(T (&values)[RUNS], Length (&lengths)[RUNS]) {
        Offset starts[RUNS], total;
        for (int i = 0; i < RUNS; i++) starts[i] = static_cast<Offset>(lengths[i]);
        Scan(storage.scan).ExclusiveSum(starts, starts, total);
        for (int i = 0; i < RUNS; i++) {
            storage.values[tid * RUNS + i] = values[i];
            storage.starts[tid * RUNS + i] = starts[i];
        }
        __syncthreads();
        return total;
    }

public:
    typedef Storage TempStorage;
    template <typename Length, typename Total>
    __device__ BlockRunLengthDecode(TempStorage& temp, T (&values)[RUNS], Length (&lengths)[RUNS], Total& total)
        : storage(temp), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {
        total = static_cast<Total>(prepare(values, lengths));
    }
    template <typename Given> __device__ BlockRunLengthDecode(TempStorage& temp, T (&values)[RUNS], Given (&offsets)[RUNS])
        : storage(temp), tid(RowMajorTid(BLOCK_DIM_X, BLOCK_DIM_Y, BLOCK_DIM_Z)) {
        for (int i = 0; i < RUNS; i++) {
            storage.values[tid * RUNS + i] = values[i];
            storage.starts[tid * RUNS + i] = static_cast<Offset>(offsets[i]);
        }
        __syncthreads();
    }
    template <typename Relative> __device__ void RunLengthDecode(T (&decoded)[DECODED], Relative (&offsets)[DECODED], Offset from = 0) {
        for (int i = 0; i < DECODED; i++) {
            const Offset at = from + Offset(tid * DECODED + i);
            /* The last run that starts here or before. */
            int low = 0, high = THREADS * RUNS;
            while (low < high) {
                const int mid = (low + high) / 2;
                if (storage.starts[mid] <= at) low = mid + 1;
                else high = mid;
            }
            decoded[i] = storage.values[low - 1];
            offsets[i] = static_cast<Relative>(at - storage.starts[low - 1]);
        }
    }
    __device__ void RunLengthDecode(T (&decoded)[DECODED], Offset from = 0) {
        Offset offsets[DECODED];
        RunLengthDecode(decoded, offsets, from);
    }
};

}

#endif
