/* cudaCreateChannelDesc<T>(): the channel description of an element type. */
#ifndef CUDAIR_CHANNEL_DESCRIPTOR_H
#define CUDAIR_CHANNEL_DESCRIPTOR_H

#include "cuda_runtime_api.h"

#if defined(__cplusplus)
/* Number, width in bits and kind of the channels of T; a type that is no texel has none. */
template <class T>
struct __cudair_channels {
    static constexpr int count = 0, bits = 0;
    static constexpr cudaChannelFormatKind kind = cudaChannelFormatKindNone;
};
#define __CUDAIR_CHANNELS(T, N, KIND)                                                                  \
    template <>                                                                                        \
    struct __cudair_channels<T> {                                                                      \
        static constexpr int count = N, bits = (N == 3 ? sizeof(T) / 3 : sizeof(T) / N) * 8;           \
        static constexpr cudaChannelFormatKind kind = cudaChannelFormatKind##KIND;                     \
    };
#define __CUDAIR_CHANNELS4(S, T, KIND)                                                                 \
    __CUDAIR_CHANNELS(T, 1, KIND)                                                                      \
    __CUDAIR_CHANNELS(S##1, 1, KIND)                                                                   \
    __CUDAIR_CHANNELS(S##2, 2, KIND)                                                                   \
    __CUDAIR_CHANNELS(S##4, 4, KIND)
__CUDAIR_CHANNELS4(char, signed char, Signed)
__CUDAIR_CHANNELS(char, 1, Signed)
__CUDAIR_CHANNELS4(uchar, unsigned char, Unsigned)
__CUDAIR_CHANNELS4(short, short, Signed)
__CUDAIR_CHANNELS4(ushort, unsigned short, Unsigned)
__CUDAIR_CHANNELS4(int, int, Signed)
__CUDAIR_CHANNELS4(uint, unsigned int, Unsigned)
__CUDAIR_CHANNELS4(float, float, Float)
#undef __CUDAIR_CHANNELS4
#undef __CUDAIR_CHANNELS

template <class T>
static inline __host__ cudaChannelFormatDesc cudaCreateChannelDesc() {
    typedef __cudair_channels<T> c;
    cudaChannelFormatDesc d;
    d.x = c::bits;
    d.y = c::count >= 2 ? c::bits : 0;
    d.z = c::count >= 3 ? c::bits : 0;
    d.w = c::count >= 4 ? c::bits : 0;
    d.f = c::kind;
    return d;
}
#endif

#endif
