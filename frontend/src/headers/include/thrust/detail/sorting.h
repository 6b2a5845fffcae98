/* How the device sorts: one block, of whose threads each goes along a piece. Numbers in their own order go by digits of four
   bits, with a counter of each digit for each thread; everything else is merged, the pieces of a merge found by bisection.
   Both are stable. */
#ifndef CUDAIR_THRUST_SORTING_H
#define CUDAIR_THRUST_SORTING_H

#include <thrust/detail/kernels.h>

namespace thrust {
namespace detail {

/* The bits of a number, so that they are ordered as it is. */
template <size_t BYTES> struct word_of;
template <> struct word_of<1> {
    typedef unsigned char type;
};
template <> struct word_of<2> {
    typedef unsigned short type;
};
template <> struct word_of<4> {
    typedef unsigned type;
};
template <> struct word_of<8> {
    typedef unsigned long long type;
};
template <typename K> struct radix {
    typedef typename word_of<sizeof(K)>::type Word;
    static constexpr int BITS = 8 * sizeof(K);
    static constexpr Word TOP = Word(Word(1) << (BITS - 1));
    static constexpr bool SIGNED = std::is_signed<K>::value && std::is_integral<K>::value;
    static constexpr bool FLOATING = !std::is_integral<K>::value;

    __device__ static Word ordered(K key) {
        if constexpr (FLOATING) {
            Word word;
            if constexpr (sizeof(K) == 8) word = Word(__double_as_longlong(key));
            else if constexpr (sizeof(K) == 4) word = __float_as_uint(key);
            else __builtin_memcpy(&word, &key, sizeof word);
            if (word == TOP) word = 0; /* -0 is as 0 */
            return word & TOP ? Word(~word) : Word(word | TOP);
        } else {
            return SIGNED ? Word(Word(key) ^ TOP) : Word(key);
        }
    }
};

struct nothing {};

/* Sorts by bits `from` to `to`. `keys` and `values` are written at the end and may be what is read. */
template <bool DESCENDING, typename K, typename V, typename KeysIn, typename ValuesIn, typename KeysOut, typename ValuesOut>
__device__ void radix_sort(long long n, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out, K* ka, K* kb, V* va,
                           V* vb, int from, int to) {
    typedef radix<K> R;
    constexpr bool PAIRS = !std::is_same<V, nothing>::value;
    constexpr int DIGITS = 16;
    __shared__ unsigned counts[DIGITS * THREADS];
    __shared__ unsigned before[THREADS];
    unsigned place_of[DIGITS];
    const int t = threadIdx.x;
    const long long piece = piece_of(n, THREADS), first = t * piece, end = first + piece < n ? first + piece : n;
    for (long long i = t; i < n; i += THREADS) {
        ka[i] = keys_in[i];
        if constexpr (PAIRS) ::new ((void*)(va + i)) V(values_in[i]);
    }
    __syncthreads();
    for (int shift = from; shift < to; shift += 4) {
        const unsigned mask = to - shift < 4 ? (1u << (to - shift)) - 1 : 15u;
        const unsigned turned = DESCENDING ? mask : 0;
        for (int d = 0; d < DIGITS; d++) place_of[d] = 0;
        for (long long i = first; i < end; i++) {
            const unsigned digit = ((unsigned)(R::ordered(ka[i]) >> shift) & mask) ^ turned;
            place_of[digit]++;
        }
        for (int d = 0; d < DIGITS; d++) counts[d * THREADS + t] = place_of[d];
        __syncthreads();
        unsigned own = 0;
        for (int k = 0; k < DIGITS; k++) own += counts[t * DIGITS + k];
        before[t] = own;
        __syncthreads();
        if (t == 0) {
            unsigned all = 0;
            for (int k = 0; k < THREADS; k++) {
                const unsigned of_k = before[k];
                before[k] = all;
                all += of_k;
            }
        }
        __syncthreads();
        unsigned all = before[t];
        for (int k = 0; k < DIGITS; k++) {
            const unsigned of_k = counts[t * DIGITS + k];
            counts[t * DIGITS + k] = all;
            all += of_k;
        }
        __syncthreads();
        /* Where all keys have one digit, they stay where they are. */
        bool sole = false;
        if (t < DIGITS) sole = (t + 1 < DIGITS ? (long long)counts[(t + 1) * THREADS] : n) - counts[t * THREADS] == n;
        if (__syncthreads_or(sole)) continue;
        for (int d = 0; d < DIGITS; d++) place_of[d] = counts[d * THREADS + t];
        for (long long i = first; i < end; i++) {
            const K key = ka[i];
            const unsigned digit = ((unsigned)(R::ordered(key) >> shift) & mask) ^ turned;
            const unsigned place = place_of[digit]++;
            kb[place] = key;
            if constexpr (PAIRS) vb[place] = va[i];
        }
        __syncthreads();
        K* const k = ka;
        ka = kb;
        kb = k;
        if constexpr (PAIRS) {
            V* const v = va;
            va = vb;
            vb = v;
        }
    }
    for (long long i = t; i < n; i += THREADS) {
        keys_out[i] = ka[i];
        if constexpr (PAIRS) values_out[i] = va[i];
    }
}

template <bool DESCENDING, typename K, typename V, typename KeysIn, typename ValuesIn, typename KeysOut, typename ValuesOut>
__global__ void radix_kernel(long long n, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out, K* ka, K* kb,
                             V* va, V* vb, int from, int to) {
    radix_sort<DESCENDING>(n, keys_in, values_in, keys_out, values_out, ka, kb, va, vb, from, to);
}

/* Of the first `d` elements of a merge, how many are of the first list. Of equal ones those of the first come first. */
template <typename A, typename B, typename Less>
__CUDAIR_HD long long merge_path(A a, long long n, B b, long long m, long long d, Less less) {
    long long low = d > m ? d - m : 0, high = d < n ? d : n;
    while (low < high) {
        const long long mid = low + (high - low) / 2;
        if (less(b[d - 1 - mid], a[mid])) high = mid;
        else low = mid + 1;
    }
    return low;
}

template <typename K, typename V, typename KeysIn, typename ValuesIn, typename KeysOut, typename ValuesOut, typename Less>
__global__ void merge_sort_kernel(long long n, KeysIn keys_in, ValuesIn values_in, KeysOut keys_out, ValuesOut values_out, K* ka,
                                  K* kb, V* va, V* vb, Less less) {
    constexpr bool PAIRS = !std::is_same<V, nothing>::value;
    const int t = threadIdx.x;
    /* A piece holds whole merges of short runs. */
    const long long piece = (((n + THREADS - 1) / THREADS + 31) / 32 | 1) * 32;
    const long long first = t * piece, end = first + piece < n ? first + piece : n;
    for (long long i = t; i < n; i += THREADS) {
        ::new ((void*)(ka + i)) K(keys_in[i]);
        if constexpr (PAIRS) ::new ((void*)(va + i)) V(values_in[i]);
    }
    __syncthreads();
    for (long long width = 1; width < n; width *= 2) {
        for (long long at = first; at < end;) {
            const long long start = at / (2 * width) * (2 * width);
            const long long middle = start + width < n ? start + width : n, stop = start + 2 * width < n ? start + 2 * width : n;
            long long i = start, j = middle;
            if (at > start) {
                i += merge_path(ka + start, middle - start, ka + middle, stop - middle, at - start, less);
                j += at - i;
            }
            const long long until = stop < end ? stop : end;
            K x = ka[i < n ? i : n - 1], y = ka[j < n ? j : n - 1];
            for (; at < until; at++) {
                const bool second = i >= middle || (j < stop && less(y, x));
                const long long from = second ? j : i;
                ::new ((void*)(kb + at)) K(second ? y : x);
                if constexpr (PAIRS) ::new ((void*)(vb + at)) V(va[from]);
                i += !second;
                j += second;
                const K next = ka[from + 1 < n ? from + 1 : n - 1];
                if (second) y = next;
                else x = next;
            }
        }
        __syncthreads();
        K* const k = ka;
        ka = kb;
        kb = k;
        if constexpr (PAIRS) {
            V* const v = va;
            va = vb;
            vb = v;
        }
    }
    for (long long i = t; i < n; i += THREADS) {
        keys_out[i] = ka[i];
        if constexpr (PAIRS) values_out[i] = va[i];
    }
}

/* Which comparisons are the order of numbers, or its reverse: 1, -1, else 0. Functionals say so. */
template <typename Less, typename K, typename = void> struct order_of : std::integral_constant<int, 0> {};
template <typename Less, typename K>
struct order_of<Less, K, void_t<decltype(Less::cudair_order)>>
    : std::integral_constant<int, std::is_arithmetic<K>::value && sizeof(K) <= 8 ? Less::cudair_order : 0> {};

template <typename V, typename P, typename KeysIn, typename ValuesIn, typename KeysOut, typename ValuesOut, typename Less>
void sort_async(const P& p, long long n, KeysIn keys, ValuesIn values, KeysOut keys_out, ValuesOut values_out, Less less) {
    typedef value_of<KeysIn> K;
    if (n <= 0) return;
    constexpr bool PAIRS = !std::is_same<V, nothing>::value;
    temporary<K, P> k(p, 2 * n);
    temporary<V, P> v(p, PAIRS ? 2 * n : 0);
    K* const ka = k.get();
    V* const va = v.get();
    constexpr int ORDER = order_of<Less, K>::value;
    if constexpr (ORDER != 0)
        radix_kernel<(ORDER < 0), K, V><<<1, int(THREADS), 0, p.cudair_stream()>>>(n, keys, values, keys_out, values_out, ka, ka + n, va,
                                                                                va + (PAIRS ? n : 0), 0, radix<K>::BITS);
    else
        merge_sort_kernel<K, V><<<1, int(THREADS), 0, p.cudair_stream()>>>(n, keys, values, keys_out, values_out, ka, ka + n, va,
                                                                        va + (PAIRS ? n : 0), less);
}

/* A sort in place without further memory, for one thread: runs put in order one by one, then merged by rotation. */
template <typename It, typename N> __CUDAIR_HD void swap_at(It it, N a, N b) {
    value_of<It> x = it[a];
    it[a] = static_cast<value_of<It>>(it[b]);
    it[b] = x;
}
/* What a loop sorts: keys, or keys with their values. */
template <typename Keys, typename Values> struct together {
    Keys keys;
    Values values;
    __host__ __device__ void swap(long long a, long long b) const {
        swap_at(keys, a, b);
        if constexpr (!std::is_same<Values, nothing>::value) swap_at(values, a, b);
    }
    __host__ __device__ void reverse(long long a, long long b) const {
        for (; a < --b; a++) swap(a, b);
    }
    /* Exchanges [a, b) and [b, c). */
    __host__ __device__ void rotate(long long a, long long b, long long c) const {
        reverse(a, b);
        reverse(b, c);
        reverse(a, c);
    }
};
template <typename S, typename Less> __CUDAIR_HD void merge_in_place(const S& s, long long a, long long b, long long c, Less less) {
    while (a < b && b < c) {
        if (!less(s.keys[b], s.keys[b - 1])) return;
        /* Skip what stands right already. */
        if (!less(s.keys[b], s.keys[a])) {
            a++;
            continue;
        }
        if (c - a == 2) return s.swap(a, b);
        long long i, j;
        if (b - a >= c - b) {
            i = a + (b - a) / 2;
            long long low = b, high = c;
            while (low < high) {
                const long long mid = low + (high - low) / 2;
                if (less(s.keys[mid], s.keys[i])) low = mid + 1;
                else high = mid;
            }
            j = low;
        } else {
            j = b + (c - b) / 2;
            long long low = a, high = b;
            while (low < high) {
                const long long mid = low + (high - low) / 2;
                if (less(s.keys[j], s.keys[mid])) high = mid;
                else low = mid + 1;
            }
            i = low;
        }
        s.rotate(i, b, j);
        const long long middle = i + (j - b);
        merge_in_place(s, a, i, middle, less);
        a = middle;
        b = j;
    }
}
template <typename S, typename Less> __CUDAIR_HD void sort_in_place(const S& s, long long n, Less less) {
    constexpr long long RUN = 16;
    for (long long a = 0; a < n; a += RUN)
        for (long long i = a + 1; i < n && i < a + RUN; i++)
            for (long long j = i; j > a && less(s.keys[j], s.keys[j - 1]); j--) s.swap(j, j - 1);
    for (long long width = RUN; width < n; width *= 2)
        for (long long a = 0; a + width < n; a += 2 * width) merge_in_place(s, a, a + width, a + 2 * width < n ? a + 2 * width : n, less);
}

/* The host's sort, which has memory. */
template <typename Keys, typename Less> __CUDAIR_HD void sort_on_host(Keys keys, long long n, Less less) {
    typedef value_of<Keys> K;
    if (n < 64) return sort_in_place(together<Keys, nothing>{keys, nothing()}, n, less);
    K* a = static_cast<K*>(::operator new(2 * n * sizeof(K)));
    K* b = a + n;
    void* const memory = a;
    for (long long i = 0; i < n; i++) ::new ((void*)(a + i)) K(keys[i]);
    for (long long i = 0; i < n; i++) ::new ((void*)(b + i)) K(keys[i]);
    for (long long width = 1; width < n; width *= 2) {
        for (long long start = 0; start < n; start += 2 * width) {
            const long long middle = start + width < n ? start + width : n, stop = start + 2 * width < n ? start + 2 * width : n;
            long long i = start, j = middle, at = start;
            while (i < middle && j < stop) {
                if (less(a[j], a[i])) b[at++] = a[j++];
                else b[at++] = a[i++];
            }
            while (i < middle) b[at++] = a[i++];
            while (j < stop) b[at++] = a[j++];
        }
        K* const k = a;
        a = b;
        b = k;
    }
    for (long long i = 0; i < n; i++) keys[i] = a[i];
    for (long long i = 0; i < n; i++) {
        a[i].~K();
        b[i].~K();
    }
    ::operator delete(memory);
}

}
}

#endif
