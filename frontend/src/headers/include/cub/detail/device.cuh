/* What algorithms of the device share: memory that the caller gives, and the kernels, which are those of Thrust. */
#ifndef CUDAIR_CUB_DEVICE_H
#define CUDAIR_CUB_DEVICE_H

#include <cub/util.cuh>
#include <thrust/detail/kernels.h>

namespace cub {

namespace detail {

/* Writes to both ends of memory. */
struct touch_ends {
    char* memory;
    size_t size;
    char value;
    __device__ void operator()() const {
        memory[0] = value;
        memory[size - 1] = value;
    }
};

/* The memory that an algorithm asks for in the first of two calls and is given in the second, by parts. */
class scratch {
    char* memory;
    size_t size, used = 0;

public:
    scratch(void* temp, size_t bytes) : memory(static_cast<char*>(temp)), size(bytes) {}
    template <typename T> T* take(long long n) {
        const size_t from = (used + 255) / 256 * 256;
        used = from + (n > 0 ? n : 0) * sizeof(T);
        return memory == nullptr ? nullptr : reinterpret_cast<T*>(memory + from);
    }
    /* Whether there is nothing more to do: the first call, or one with too little memory. */
    bool ends(size_t& bytes, cudaError_t& error) const {
        error = cudaSuccess;
        if (memory == nullptr) {
            bytes = used > 0 ? used : 1;
            return true;
        }
        if (size < used) error = cudaErrorInvalidValue;
        return size < used;
    }
    /* The same of an algorithm that keeps nothing there for long, as CUB's own does, a word for each tile of `n` items: what
       the program gives has to be memory that nothing else uses meanwhile. */
    bool ends(size_t& bytes, cudaError_t& error, long long n, cudaStream_t stream) {
        if (n > 0) take<unsigned long long>(n / 2048 + 33);
        if (ends(bytes, error)) return true;
        touch(stream);
        return false;
    }
    void touch(cudaStream_t stream) const {
        static unsigned char calls = 0;
        const size_t touched = used > 0 ? used : 1;
        if (size >= touched) thrust::detail::one_thread<<<1, 1, 0, stream>>>(touch_ends{memory, touched, char(++calls)});
    }
};
template <typename Out, typename T> struct write_once {
    Out out;
    T value;
    __device__ void operator()() const { *out = value; }
};
template <typename Out, typename T> void write(Out out, T value, cudaStream_t stream) {
    thrust::detail::one_thread<<<1, 1, 0, stream>>>(write_once<Out, T>{out, value});
}
template <typename F> void each(long long n, F f, cudaStream_t stream) {
    if (n > 0)
        thrust::detail::each_index<<<unsigned((n + thrust::detail::THREADS - 1) / thrust::detail::THREADS), int(thrust::detail::THREADS), 0,
                                     stream>>>(n, f);
}
template <typename N> using if_number = typename std::enable_if<std::is_integral<N>::value>::type;
using thrust::detail::load_from;
using thrust::detail::load_through;

}

}

#endif
