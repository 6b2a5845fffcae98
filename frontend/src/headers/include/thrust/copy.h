/* copy between and within systems, and copy_n; copy_if is in detail/selection.h. */
#ifndef CUDAIR_THRUST_COPY_H
#define CUDAIR_THRUST_COPY_H

#include <thrust/detail/selection.h>

namespace thrust {
namespace detail {

template <typename In, typename Out> struct copy_at {
    In in;
    Out out;
    __device__ void operator()(long long i) const { out[i] = in[i]; }
};
template <typename In, typename Out> __CUDAIR_HD Out copy_loop(In first, In last, Out out) {
    for (; first != last; ++first, ++out) *out = *first;
    return out;
}
static constexpr const char* in_copy = "copy: failed to synchronize";
template <typename P, typename In, typename Out> Out copy_device(const P& p, In first, In last, Out out) {
    each(p, last - first, copy_at<plain_t<In>, plain_t<Out>>{unwrap(first), unwrap(out)}, in_copy);
    return out + (last - first);
}

/* Elements of the host on their way: they lie side by side. */
template <typename T> struct staging {
    T* memory;
    size_t count;
    explicit staging(size_t n) : memory(static_cast<T*>(::operator new(n * sizeof(T) + 1))), count(0) {}
    staging(const staging&) = delete;
    ~staging() {
        for (size_t i = 0; i < count; i++) memory[i].~T();
        ::operator delete((void*)memory);
    }
};
template <typename It, typename T>
using is_array_of = std::integral_constant<bool, std::is_same<typename std::remove_cv<typename std::remove_pointer<plain_t<It>>::type>::type, T>::value &&
                                                     std::is_pointer<plain_t<It>>::value>;

/* Iterators of the standard library's vectors are pointers in all but name; others whose base is a pointer, such as those from
   the end to the begin, are not. */
template <typename It, typename = void> struct as_pointer {
    typedef It type;
    static const It& of(const It& it) { return it; }
};
template <typename T, typename Vector> struct as_pointer<__gnu_cxx::__normal_iterator<T*, Vector>> {
    typedef T* type;
    static T* of(const __gnu_cxx::__normal_iterator<T*, Vector>& it) { return it.base(); }
};

template <typename In, typename Out> Out copy_to_device(In first, In last, Out out) {
    typedef value_of<In> T;
    typedef value_or_t<Out, T> U;
    const size_t n = thrust::distance(first, last);
    if (n == 0) return out;
    if constexpr (is_array_of<In, U>::value && is_array_of<Out, U>::value) {
        throw_on_error(cudaMemcpy((void*)unwrap(out), (const void*)first, n * sizeof(U), cudaMemcpyHostToDevice), in_copy);
    } else {
        staging<T> host(n);
        for (; first != last; ++first) ::new ((void*)(host.memory + host.count++)) T(*first);
        temporary<T, device_policy> device_side(device, n);
        throw_on_error(cudaMemcpy((void*)device_side.get(), (const void*)host.memory, n * sizeof(T), cudaMemcpyHostToDevice), in_copy);
        copy_device(device, device_side.get(), device_side.get() + n, unwrap(out));
    }
    return out + n;
}
template <typename In, typename Out> Out copy_to_host(In first, In last, Out out) {
    typedef value_of<In> T;
    const size_t n = last - first;
    if (n == 0) return out;
    if constexpr (is_array_of<In, T>::value && is_array_of<Out, T>::value) {
        throw_on_error(cudaMemcpy((void*)out, (const void*)unwrap(first), n * sizeof(T), cudaMemcpyDeviceToHost), in_copy);
        return out + n;
    } else {
        staging<T> host(n);
        if constexpr (is_array_of<In, T>::value) {
            throw_on_error(cudaMemcpy((void*)host.memory, (const void*)unwrap(first), n * sizeof(T), cudaMemcpyDeviceToHost), in_copy);
        } else {
            temporary<T, device_policy> device_side(device, n);
            copy_device(device, first, last, device_side.get());
            throw_on_error(cudaMemcpy((void*)host.memory, (const void*)device_side.get(), n * sizeof(T), cudaMemcpyDeviceToHost), in_copy);
        }
        host.count = n;
        for (size_t i = 0; i < n; i++, ++out) *out = host.memory[i];
        return out;
    }
}
template <typename In, typename Out> __CUDAIR_HD Out copy_across(In first, In last, Out out) {
    typedef system_of_t<In> From;
    typedef system_of_t<Out> To;
    constexpr bool from_device = std::is_same<From, device_system_tag>::value, to_device = std::is_same<To, device_system_tag>::value;
    constexpr bool from_host = std::is_same<From, host_system_tag>::value, to_host = std::is_same<To, host_system_tag>::value;
    if (__cudair_on_device()) {
        return rewrap(out, copy_loop(unwrap(first), unwrap(last), unwrap(out)));
    } else {
        if constexpr (from_host && to_device) {
            typedef as_pointer<In> Source;
            return copy_to_device(Source::of(first), Source::of(last), out);
        } else if constexpr (from_device && to_host) {
            typedef as_pointer<Out> Target;
            if constexpr (std::is_same<typename Target::type, Out>::value) {
                return copy_to_host(first, last, out);
            } else {
                copy_to_host(first, last, Target::of(out));
                return out + (last - first);
            }
        } else if constexpr (from_host || to_host) {
            return copy_loop(first, last, out);
        } else {
            return copy_device(device_policy(), first, last, out);
        }
    }
}

}

template <typename P, typename In, typename Out> __CUDAIR_HD Out copy(const detail::execution_policy_base<P>& p, In first, In last, Out out) {
    __CUDAIR_THRUST_RUN(P, detail::copy_device(detail::self(p), first, last, out),
                        detail::rewrap(out, detail::copy_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(out))))
}
template <typename In, typename Out> __CUDAIR_HD Out copy(In first, In last, Out out) { return detail::copy_across(first, last, out); }
template <typename P, typename In, typename N, typename Out>
__CUDAIR_HD Out copy_n(const detail::execution_policy_base<P>& p, In first, N n, Out out) {
    In last = first;
    thrust::advance(last, n);
    return thrust::copy(p, first, last, out);
}
template <typename In, typename N, typename Out> __CUDAIR_HD Out copy_n(In first, N n, Out out) {
    In last = first;
    thrust::advance(last, n);
    return thrust::copy(first, last, out);
}
template <typename P, typename In, typename Out>
__CUDAIR_HD Out uninitialized_copy(const detail::execution_policy_base<P>& p, In first, In last, Out out) {
    return thrust::copy(p, first, last, out);
}
template <typename In, typename Out> __CUDAIR_HD Out uninitialized_copy(In first, In last, Out out) { return thrust::copy(first, last, out); }
template <typename In, typename N, typename Out> __CUDAIR_HD Out uninitialized_copy_n(In first, N n, Out out) {
    return thrust::copy_n(first, n, out);
}

namespace detail {
template <typename A, typename B> struct swap_both_at {
    A a;
    B b;
    __device__ void operator()(long long i) const {
        const value_of<A> x = a[i];
        a[i] = static_cast<value_of<A>>(b[i]);
        b[i] = x;
    }
};
template <typename A, typename B> __CUDAIR_HD B swap_loop(A first, A last, B second) {
    for (; first != last; ++first, ++second) {
        const value_of<A> x = *first;
        *first = static_cast<value_of<A>>(*second);
        *second = x;
    }
    return second;
}
template <typename P, typename A, typename B> B swap_device(const P& p, A first, A last, B second) {
    each(p, last - first, swap_both_at<plain_t<A>, plain_t<B>>{unwrap(first), unwrap(second)}, "swap_ranges: failed to synchronize");
    return second + (last - first);
}
}
template <typename P, typename A, typename B> __CUDAIR_HD B swap_ranges(const detail::execution_policy_base<P>& p, A first, A last, B second) {
    __CUDAIR_THRUST_RUN(P, detail::swap_device(detail::self(p), first, last, second),
                        detail::rewrap(second, detail::swap_loop(detail::along<P>(first), detail::along<P>(last), detail::along<P>(second))))
}
template <typename A, typename B> __CUDAIR_HD B swap_ranges(A first, A last, B second) {
    return thrust::swap_ranges(detail::policy_for<A, B>(), first, last, second);
}

}

#endif
