/* How lanes of a warp pass values of any type. */
#ifndef CUDAIR_CUB_SHUFFLE_H
#define CUDAIR_CUB_SHUFFLE_H

#include <cub/util.cuh>

namespace cub {

namespace detail {

/* A value of any type from `delta` lanes further down, or from a lane: as words, where it is no number. */
template <typename T, bool NUMBER = std::is_arithmetic<T>::value> struct Shuffle {
    template <typename F> __device__ static T by_words(const T& value, F shuffle) {
        unsigned words[(sizeof(T) + 3) / 4] = {};
        __builtin_memcpy(words, &value, sizeof(T));
        for (unsigned i = 0; i < (sizeof(T) + 3) / 4; i++) words[i] = shuffle(words[i]);
        T result;
        __builtin_memcpy(&result, words, sizeof(T));
        return result;
    }
    __device__ static T up(unsigned mask, const T& value, unsigned delta, int width) {
        return by_words(value, [=](unsigned w) { return __shfl_up_sync(mask, w, delta, width); });
    }
    __device__ static T from(unsigned mask, const T& value, int lane, int width) {
        return by_words(value, [=](unsigned w) { return __shfl_sync(mask, w, lane, width); });
    }
};
template <typename T> struct Shuffle<T, true> {
    typedef typename std::conditional<(sizeof(T) < 4), int, T>::type Wide;
    __device__ static T up(unsigned mask, T value, unsigned delta, int width) {
        return static_cast<T>(__shfl_up_sync(mask, static_cast<Wide>(value), delta, width));
    }
    __device__ static T from(unsigned mask, T value, int lane, int width) {
        return static_cast<T>(__shfl_sync(mask, static_cast<Wide>(value), lane, width));
    }
};

/* The lanes of a logical warp of `threads`, which begins at `first`: those that there are, for a block's last warp may
   lack some. */
__device__ inline unsigned members(int threads, unsigned first) {
    const unsigned all = threads >= 32 ? 0xffffffffu : ((1u << threads) - 1) << first;
    const int there = int(blockDim.x * blockDim.y * blockDim.z - WarpId() * 32);
    return there >= 32 ? all : all & ((1u << there) - 1);
}

}

}

#endif
