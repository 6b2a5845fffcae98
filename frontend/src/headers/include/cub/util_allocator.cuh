/* An allocator that keeps what is given back, by sizes that grow as powers. */
#ifndef CUDAIR_CUB_UTIL_ALLOCATOR_H
#define CUDAIR_CUB_UTIL_ALLOCATOR_H

#include <cub/util.cuh>
#include <map>
#include <mutex>
#include <vector>

namespace cub {

struct CachingDeviceAllocator {
    static constexpr int INVALID_DEVICE_ORDINAL = -1;
    static constexpr unsigned INVALID_BIN = (unsigned)-1;
    static constexpr size_t INVALID_SIZE = (size_t)-1;

    unsigned bin_growth, min_bin, max_bin;
    size_t min_bin_bytes, max_bin_bytes, max_cached_bytes;
    bool skip_cleanup, debug;

private:
    struct Block {
        int device;
        size_t bytes;
        unsigned bin;
        cudaStream_t stream;
        cudaEvent_t ready;
    };
    std::mutex mutex;
    std::map<void*, Block> live;
    std::vector<std::pair<void*, Block>> cached;
    size_t cached_bytes = 0;

    static size_t power(unsigned base, unsigned exponent) {
        size_t value = 1;
        for (; exponent > 0; exponent--) value *= base;
        return value;
    }

public:
    CachingDeviceAllocator(unsigned growth, unsigned min_bin_, unsigned max_bin_ = INVALID_BIN, size_t max_cached = INVALID_SIZE, bool skip = false,
                           bool debug_ = false)
        : bin_growth(growth), min_bin(min_bin_), max_bin(max_bin_), min_bin_bytes(power(growth, min_bin_)),
          max_bin_bytes(max_bin_ == INVALID_BIN ? INVALID_SIZE : power(growth, max_bin_)), max_cached_bytes(max_cached), skip_cleanup(skip), debug(debug_) {}
    CachingDeviceAllocator(bool skip = false, bool debug_ = false) : CachingDeviceAllocator(8, 3, 7, (size_t(1) << 21) * 3 - 1, skip, debug_) {}
    ~CachingDeviceAllocator() {
        if (!skip_cleanup) FreeAllCached();
    }
    cudaError_t SetMaxCachedBytes(size_t n) {
        max_cached_bytes = n;
        return cudaSuccess;
    }
    cudaError_t DeviceAllocate(int device, void** memory, size_t bytes, cudaStream_t stream = 0) {
        *memory = nullptr;
        if (device == INVALID_DEVICE_ORDINAL)
            if (const cudaError_t error = cudaGetDevice(&device)) return error;
        Block block{device, bytes, INVALID_BIN, stream, nullptr};
        if (bytes <= max_bin_bytes) {
            block.bin = min_bin;
            block.bytes = min_bin_bytes;
            for (; block.bytes < bytes; block.bin++) block.bytes *= bin_growth;
            const std::lock_guard<std::mutex> lock(mutex);
            for (size_t i = 0; i < cached.size(); i++) {
                const Block& b = cached[i].second;
                if (b.device != device || b.bin != block.bin || (b.stream != stream && cudaEventQuery(b.ready) == cudaErrorNotReady)) continue;
                block.ready = b.ready;
                *memory = cached[i].first;
                cached_bytes -= b.bytes;
                cached.erase(cached.begin() + i);
                live[*memory] = block;
                return cudaSuccess;
            }
        }
        cudaError_t error = cudaMalloc(memory, block.bytes);
        if (error == cudaErrorMemoryAllocation) {
            cudaGetLastError();
            FreeAllCached();
            error = cudaMalloc(memory, block.bytes);
        }
        if (error != cudaSuccess) return error;
        error = cudaEventCreateWithFlags(&block.ready, cudaEventDisableTiming);
        const std::lock_guard<std::mutex> lock(mutex);
        live[*memory] = block;
        return error;
    }
    cudaError_t DeviceAllocate(void** memory, size_t bytes, cudaStream_t stream = 0) {
        return DeviceAllocate(INVALID_DEVICE_ORDINAL, memory, bytes, stream);
    }
    cudaError_t DeviceFree(int, void* memory) {
        const std::lock_guard<std::mutex> lock(mutex);
        const auto at = live.find(memory);
        if (at == live.end()) return cudaFree(memory);
        const Block block = at->second;
        live.erase(at);
        if (block.bin != INVALID_BIN && cached_bytes + block.bytes <= max_cached_bytes) {
            cached.push_back(std::make_pair(memory, block));
            cached_bytes += block.bytes;
            return cudaEventRecord(block.ready, block.stream);
        }
        cudaEventDestroy(block.ready);
        return cudaFree(memory);
    }
    cudaError_t DeviceFree(void* memory) { return DeviceFree(INVALID_DEVICE_ORDINAL, memory); }
    cudaError_t FreeAllCached() {
        const std::lock_guard<std::mutex> lock(mutex);
        cudaError_t result = cudaSuccess;
        for (auto& entry : cached) {
            const cudaError_t error = cudaFree(entry.first);
            if (error != cudaSuccess) result = error;
            cudaEventDestroy(entry.second.ready);
        }
        cached.clear();
        cached_bytes = 0;
        return result;
    }
};

}

#endif
