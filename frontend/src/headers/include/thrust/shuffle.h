/* Shuffles by a bijection: a Feistel network over the next power of two (Mitchell and others, "Bandwidth-optimal random
   shuffling for GPUs"), of which the places within the range are kept. */
#ifndef CUDAIR_THRUST_SHUFFLE_H
#define CUDAIR_THRUST_SHUFFLE_H

#include <thrust/copy.h>
#include <thrust/random.h>

namespace thrust {
namespace detail {

struct shuffle_order {
    static constexpr int ROUNDS = 24;
    int left_bits, right_bits;
    unsigned keys[ROUNDS];

    template <typename E> __host__ __device__ shuffle_order(unsigned long long n, E& engine) {
        int bits = 0;
        for (unsigned long long rest = n > 0 ? n - 1 : 0; rest > 0; rest >>= 1) bits++;
        if (bits < 8) bits = 8;
        left_bits = bits / 2;
        right_bits = bits - left_bits;
        random::uniform_int_distribution<unsigned> draw;
        for (int i = 0; i < ROUNDS; i++) keys[i] = draw(engine);
    }
    __host__ __device__ long long size() const { return 1ll << (left_bits + right_bits); }
    __host__ __device__ unsigned long long operator()(unsigned long long at) const {
        const unsigned left_mask = (1u << left_bits) - 1, right_mask = (unsigned)((1ull << right_bits) - 1);
        unsigned left = (unsigned)(at >> right_bits), right = (unsigned)at & right_mask;
        for (int i = 0; i < ROUNDS; i++) {
            const unsigned long long product = 0xD2B74407B1CE6E93ull * left;
            const unsigned mixed = ((unsigned)(product >> 32) ^ keys[i]) ^ right;
            right = (((unsigned)product << (right_bits - left_bits)) | (right >> left_bits)) & right_mask;
            left = mixed & left_mask;
        }
        return (unsigned long long)left << right_bits | right;
    }
};
template <typename In, typename Out> struct shuffle_choice {
    shuffle_order order;
    long long n;
    In in;
    Out out;
    __device__ long long take(long long i) const { return (long long)order(i); }
    __device__ bool is_kept(long long, long long from) const { return from < n; }
    __device__ void keep(long long place, long long from) const { out[place] = in[from]; }
    __device__ void drop(long long, long long) const {}
};
template <typename P, typename In, typename Out> Out shuffle_device(const P& p, In first, In last, Out out, shuffle_order order) {
    select(p, order.size(), shuffle_choice<plain_t<In>, plain_t<Out>>{order, last - first, unwrap(first), unwrap(out)}, "shuffle: failed to synchronize");
    return out + (last - first);
}
template <typename In, typename Out> __CUDAIR_HD Out shuffle_loop(In first, In last, Out out, shuffle_order order) {
    const long long n = last - first, size = order.size();
    for (long long i = 0; i < size; i++) {
        const long long from = (long long)order(i);
        if (from >= n) continue;
        *out = first[from];
        ++out;
    }
    return out;
}
template <typename P, typename It> void shuffle_in_place(const P& p, It first, It last, shuffle_order order) {
    typedef value_of<It> T;
    temporary<T, P> before(p, last - first);
    copy_device(p, first, last, before.get());
    shuffle_device(p, before.get(), before.get() + (last - first), first, order);
}
template <typename It> __CUDAIR_HD void shuffle_loop_in_place(It first, It last, shuffle_order order) {
    typedef value_of<It> T;
    const long long n = last - first;
    if (n <= 0) return;
    T* const before = static_cast<T*>(::malloc(n * sizeof(T)));
    for (long long i = 0; i < n; i++) ::new ((void*)(before + i)) T(first[i]);
    shuffle_loop(before, before + n, first, order);
    for (long long i = 0; i < n; i++) before[i].~T();
    ::free((void*)before);
}

}

template <typename P, typename In, typename Out, typename E>
__CUDAIR_HD Out shuffle_copy(const detail::execution_policy_base<P>& p, In first, In last, Out out, E&& g) {
    const detail::shuffle_order order(last - first, g);
    __CUDAIR_THRUST_RUN(P, detail::shuffle_device(detail::self(p), first, last, out, order),
                        detail::rewrap(out, detail::shuffle_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(out), order)))
}
template <typename In, typename Out, typename E> __CUDAIR_HD Out shuffle_copy(In first, In last, Out out, E&& g) {
    return thrust::shuffle_copy(detail::policy_for<In, Out>(), first, last, out, g);
}
template <typename P, typename It, typename E> __CUDAIR_HD void shuffle(const detail::execution_policy_base<P>& p, It first, It last, E&& g) {
    const detail::shuffle_order order(last - first, g);
    __CUDAIR_THRUST_RUN(P, detail::shuffle_in_place(detail::self(p), first, last, order),
                        detail::shuffle_loop_in_place(detail::along<P>(first), detail::along<P>(last), order))
}
template <typename It, typename E> __CUDAIR_HD void shuffle(It first, It last, E&& g) {
    thrust::shuffle(detail::policy_for<It>(), first, last, g);
}

}

#endif
