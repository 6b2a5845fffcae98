/* Histograms of the device, by atomics. */
#ifndef CUDAIR_CUB_DEVICE_HISTOGRAM_H
#define CUDAIR_CUB_DEVICE_HISTOGRAM_H

#include <cub/detail/device.cuh>

namespace cub {

namespace detail {

/* The bin of a sample, or -1. */
template <typename Level> struct even_bins {
    Level lower, upper;
    int bins;
    template <typename T> __device__ int operator()(const T& sample) const {
        typedef typename std::common_type<T, Level>::type C;
        const C x = static_cast<C>(sample), low = static_cast<C>(lower), high = static_cast<C>(upper);
        if (!(x >= low && x < high)) return -1;
        if constexpr (std::is_floating_point<C>::value) {
            const int bin = static_cast<int>((x - low) * (static_cast<C>(bins) / (high - low)));
            return bin < bins ? bin : bins - 1;
        } else {
            return static_cast<int>(static_cast<unsigned long long>(x - low) * bins / static_cast<unsigned long long>(high - low));
        }
    }
};
template <typename Level> struct ranged_bins {
    const Level* levels;
    int bins;
    template <typename T> __device__ int operator()(const T& sample) const {
        int low = 0, high = bins + 1;
        while (low < high) {
            const int mid = (low + high) / 2;
            if (static_cast<Level>(sample) < levels[mid]) high = mid;
            else low = mid + 1;
        }
        return low == 0 || low > bins ? -1 : low - 1;
    }
};
template <typename Counter> struct clear_bins {
    Counter* histogram;
    __device__ void operator()(long long i) const { histogram[i] = 0; }
};
template <int CHANNELS, typename Samples, typename Counter, typename Bins> struct count_samples {
    Samples samples;
    Counter* histogram;
    Bins bins;
    int channel;
    long long pixels, row_stride;
    __device__ void operator()(long long i) const {
        const long long row = i / pixels, column = i % pixels;
        const int bin = bins(samples[row * row_stride + column * CHANNELS + channel]);
        if (bin >= 0) atomicAdd(histogram + bin, Counter(1));
    }
};
template <int CHANNELS, typename Samples, typename Counter, typename Bins>
void histogram(Samples samples, Counter* histogram, Bins bins, int channel, long long pixels, long long rows, long long row_stride, cudaStream_t stream) {
    each(bins.bins, clear_bins<Counter>{histogram}, stream);
    each(pixels * rows, count_samples<CHANNELS, Samples, Counter, Bins>{samples, histogram, bins, channel, pixels, row_stride}, stream);
}
inline bool asks(void* temp, size_t& bytes, cudaError_t& error, long long n, cudaStream_t stream) {
    scratch memory(temp, bytes);
    return memory.ends(bytes, error, n, stream);
}

}

struct DeviceHistogram {
    template <typename Samples, typename Counter, typename Level, typename N>
    static cudaError_t HistogramEven(void* temp, size_t& bytes, Samples samples, Counter* histogram, int levels, Level lower, Level upper, N n,
                                     cudaStream_t stream = 0) {
        return HistogramEven(temp, bytes, samples, histogram, levels, lower, upper, n, N(1), size_t(n) * sizeof(detail::Value<Samples>), stream);
    }
    template <typename Samples, typename Counter, typename Level, typename N>
    static cudaError_t HistogramEven(void* temp, size_t& bytes, Samples samples, Counter* histogram, int levels, Level lower, Level upper, N columns,
                                     N rows, size_t row_bytes, cudaStream_t stream = 0) {
        cudaError_t error;
        if (detail::asks(temp, bytes, error, (long long)columns * rows, stream)) return error;
        detail::histogram<1>(samples, histogram, detail::even_bins<Level>{lower, upper, levels - 1}, 0, columns, rows,
                             row_bytes / sizeof(detail::Value<Samples>), stream);
        return cudaPeekAtLastError();
    }
    template <typename Samples, typename Counter, typename Level, typename N>
    static cudaError_t HistogramRange(void* temp, size_t& bytes, Samples samples, Counter* histogram, int num_levels, const Level* levels, N n,
                                      cudaStream_t stream = 0) {
        return HistogramRange(temp, bytes, samples, histogram, num_levels, levels, n, N(1), size_t(n) * sizeof(detail::Value<Samples>), stream);
    }
    template <typename Samples, typename Counter, typename Level, typename N>
    static cudaError_t HistogramRange(void* temp, size_t& bytes, Samples samples, Counter* histogram, int num_levels, const Level* levels, N columns,
                                      N rows, size_t row_bytes, cudaStream_t stream = 0) {
        cudaError_t error;
        if (detail::asks(temp, bytes, error, (long long)columns * rows, stream)) return error;
        detail::histogram<1>(samples, histogram, detail::ranged_bins<Level>{levels, num_levels - 1}, 0, columns, rows,
                             row_bytes / sizeof(detail::Value<Samples>), stream);
        return cudaPeekAtLastError();
    }
    template <int CHANNELS, int ACTIVE, typename Samples, typename Counter, typename Level, typename N>
    static cudaError_t MultiHistogramEven(void* temp, size_t& bytes, Samples samples, Counter* (&histograms)[ACTIVE], const int (&levels)[ACTIVE],
                                          const Level (&lower)[ACTIVE], const Level (&upper)[ACTIVE], N pixels, cudaStream_t stream = 0) {
        return MultiHistogramEven<CHANNELS, ACTIVE>(temp, bytes, samples, histograms, levels, lower, upper, pixels, N(1),
                                                    size_t(pixels) * CHANNELS * sizeof(detail::Value<Samples>), stream);
    }
    template <int CHANNELS, int ACTIVE, typename Samples, typename Counter, typename Level, typename N>
    static cudaError_t MultiHistogramEven(void* temp, size_t& bytes, Samples samples, Counter* (&histograms)[ACTIVE], const int (&levels)[ACTIVE],
                                          const Level (&lower)[ACTIVE], const Level (&upper)[ACTIVE], N columns, N rows, size_t row_bytes,
                                          cudaStream_t stream = 0) {
        cudaError_t error;
        if (detail::asks(temp, bytes, error, (long long)columns * rows, stream)) return error;
        for (int c = 0; c < ACTIVE; c++)
            detail::histogram<CHANNELS>(samples, histograms[c], detail::even_bins<Level>{lower[c], upper[c], levels[c] - 1}, c, columns, rows,
                                        row_bytes / sizeof(detail::Value<Samples>), stream);
        return cudaPeekAtLastError();
    }
    template <int CHANNELS, int ACTIVE, typename Samples, typename Counter, typename Level, typename N>
    static cudaError_t MultiHistogramRange(void* temp, size_t& bytes, Samples samples, Counter* (&histograms)[ACTIVE], const int (&num_levels)[ACTIVE],
                                           const Level* const (&levels)[ACTIVE], N pixels, cudaStream_t stream = 0) {
        return MultiHistogramRange<CHANNELS, ACTIVE>(temp, bytes, samples, histograms, num_levels, levels, pixels, N(1),
                                                     size_t(pixels) * CHANNELS * sizeof(detail::Value<Samples>), stream);
    }
    template <int CHANNELS, int ACTIVE, typename Samples, typename Counter, typename Level, typename N>
    static cudaError_t MultiHistogramRange(void* temp, size_t& bytes, Samples samples, Counter* (&histograms)[ACTIVE], const int (&num_levels)[ACTIVE],
                                           const Level* const (&levels)[ACTIVE], N columns, N rows, size_t row_bytes, cudaStream_t stream = 0) {
        cudaError_t error;
        if (detail::asks(temp, bytes, error, (long long)columns * rows, stream)) return error;
        for (int c = 0; c < ACTIVE; c++)
            detail::histogram<CHANNELS>(samples, histograms[c], detail::ranged_bins<Level>{levels[c], num_levels[c] - 1}, c, columns, rows,
                                        row_bytes / sizeof(detail::Value<Samples>), stream);
        return cudaPeekAtLastError();
    }
};

}

#endif
