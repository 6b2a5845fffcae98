/* Pointers into the memory of the device and references to what lies there. On the host each access of a reference is
   a copy by the runtime; in device code it is a load or a store. */
#ifndef CUDAIR_THRUST_POINTER_H
#define CUDAIR_THRUST_POINTER_H

#include <thrust/detail/core.h>
#include <iosfwd>

namespace thrust {

template <typename T> class device_ptr;
template <typename T> class device_reference;

namespace detail {

template <typename T> struct is_device_reference : std::false_type {};
template <typename T> struct is_device_reference<device_reference<T>> : std::true_type {};

template <typename T> __CUDAIR_HD T load_element(const T* at) {
    if (__cudair_on_device()) {
        return *at;
    } else {
        alignas(T) unsigned char raw[sizeof(T)];
        throw_on_error(cudaMemcpy(raw, (const void*)at, sizeof(T), cudaMemcpyDeviceToHost), "a read through a device_reference");
        return *reinterpret_cast<T*>(raw);
    }
}
template <typename T> __CUDAIR_HD void store_element(T* at, const T& value) {
    if (__cudair_on_device()) {
        *at = value;
    } else {
        throw_on_error(cudaMemcpy((void*)at, &value, sizeof(T), cudaMemcpyHostToDevice), "a write through a device_reference");
    }
}

}

template <typename T> class device_reference {
    typedef typename std::remove_cv<T>::type Value;
    T* at;

public:
    typedef Value value_type;
    typedef device_ptr<T> pointer;

    __host__ __device__ explicit device_reference(const device_ptr<T>& p);
    __host__ __device__ explicit device_reference(T* p, int) : at(p) {}
    device_reference(const device_reference&) = default;
    template <typename U, typename = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
    __host__ __device__ device_reference(const device_reference<U>& other) : at(other.cudair_at()) {}

    __host__ __device__ operator Value() const { return detail::load_element<Value>(at); }
    __host__ __device__ device_ptr<T> operator&() const;
    __host__ __device__ T* cudair_at() const { return at; }

    __host__ __device__ const device_reference& operator=(const Value& value) const {
        detail::store_element<Value>(at, value);
        return *this;
    }
    __host__ __device__ device_reference& operator=(const Value& value) {
        detail::store_element<Value>(at, value);
        return *this;
    }
    __host__ __device__ device_reference& operator=(const device_reference& other) {
        return *this = static_cast<Value>(other);
    }
    template <typename U> __host__ __device__ device_reference& operator=(const device_reference<U>& other) {
        return *this = static_cast<Value>(static_cast<typename device_reference<U>::value_type>(other));
    }
#define __CUDAIR_COMPOUND(op)                                                                                           \
    template <typename U> __host__ __device__ const device_reference& operator op(const U& value) const {               \
        Value mine = *this;                                                                                             \
        mine op static_cast<const U&>(value);                                                                           \
        return *this = mine;                                                                                            \
    }
    __CUDAIR_COMPOUND(+=)
    __CUDAIR_COMPOUND(-=)
    __CUDAIR_COMPOUND(*=)
    __CUDAIR_COMPOUND(/=)
    __CUDAIR_COMPOUND(%=)
    __CUDAIR_COMPOUND(<<=)
    __CUDAIR_COMPOUND(>>=)
    __CUDAIR_COMPOUND(&=)
    __CUDAIR_COMPOUND(|=)
    __CUDAIR_COMPOUND(^=)
#undef __CUDAIR_COMPOUND
    __host__ __device__ const device_reference& operator++() const { return *this += 1; }
    __host__ __device__ const device_reference& operator--() const { return *this -= 1; }
    __host__ __device__ Value operator++(int) const {
        const Value old = *this;
        *this += 1;
        return old;
    }
    __host__ __device__ Value operator--(int) const {
        const Value old = *this;
        *this -= 1;
        return old;
    }
    __host__ __device__ void swap(device_reference other) const {
        const Value mine = *this, theirs = other;
        *this = theirs;
        other = mine;
    }
};
template <typename T> __CUDAIR_HD void swap(device_reference<T> a, device_reference<T> b) { a.swap(b); }
template <typename C, typename Traits, typename T>
std::basic_ostream<C, Traits>& operator<<(std::basic_ostream<C, Traits>& out, const device_reference<T>& r) {
    return out << static_cast<typename device_reference<T>::value_type>(r);
}
#define __CUDAIR_COMPARE(op)                                                                                            \
    template <typename T, typename U>                                                                                   \
    __CUDAIR_HD bool operator op(const device_reference<T>& a, const device_reference<U>& b) {                          \
        return static_cast<typename device_reference<T>::value_type>(a) op                                              \
            static_cast<typename device_reference<U>::value_type>(b);                                                   \
    }
__CUDAIR_COMPARE(==)
__CUDAIR_COMPARE(!=)
__CUDAIR_COMPARE(<)
__CUDAIR_COMPARE(<=)
__CUDAIR_COMPARE(>)
__CUDAIR_COMPARE(>=)
#undef __CUDAIR_COMPARE

template <typename T> class device_ptr {
    T* at;

public:
    typedef T element_type;
    typedef typename std::remove_cv<T>::type value_type;
    typedef typename std::conditional<std::is_void<T>::value, void, device_reference<T>>::type reference;
    typedef device_ptr pointer;
    typedef ptrdiff_t difference_type;
    typedef std::random_access_iterator_tag iterator_category;
    typedef T* raw_pointer;
    typedef device_system_tag cudair_system;
    typedef T* cudair_plain;
    template <typename U> using rebind = device_ptr<U>;

    __host__ __device__ device_ptr() : at(nullptr) {}
    __host__ __device__ device_ptr(std::nullptr_t) : at(nullptr) {}
    template <typename U, typename = typename std::enable_if<std::is_convertible<U*, T*>::value || std::is_void<T>::value>::type>
    __host__ __device__ explicit device_ptr(U* p) : at(p) {}
    template <typename U, typename = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
    __host__ __device__ device_ptr(const device_ptr<U>& p) : at(p.get()) {}
    __host__ __device__ device_ptr& operator=(std::nullptr_t) {
        at = nullptr;
        return *this;
    }

    __host__ __device__ T* get() const { return at; }
    __host__ __device__ T* cudair_unwrap() const { return at; }
    __host__ __device__ explicit operator bool() const { return at != nullptr; }
    template <typename U = T> __host__ __device__ device_reference<U> operator*() const { return device_reference<U>(at, 0); }
    template <typename U = T> __host__ __device__ device_reference<U> operator[](difference_type i) const {
        return device_reference<U>(at + i, 0);
    }
    /* Only device code can follow it. */
    __host__ __device__ T* operator->() const { return at; }
    __host__ __device__ device_ptr& operator++() { return ++at, *this; }
    __host__ __device__ device_ptr& operator--() { return --at, *this; }
    __host__ __device__ device_ptr operator++(int) { return device_ptr(at++); }
    __host__ __device__ device_ptr operator--(int) { return device_ptr(at--); }
    __host__ __device__ device_ptr& operator+=(difference_type n) { return at += n, *this; }
    __host__ __device__ device_ptr& operator-=(difference_type n) { return at -= n, *this; }
    __host__ __device__ device_ptr operator+(difference_type n) const { return device_ptr(at + n); }
    __host__ __device__ device_ptr operator-(difference_type n) const { return device_ptr(at - n); }
    __host__ __device__ friend device_ptr operator+(difference_type n, const device_ptr& p) { return p + n; }
};
template <typename T, typename U> __CUDAIR_HD ptrdiff_t operator-(const device_ptr<T>& a, const device_ptr<U>& b) {
    return a.get() - b.get();
}
#define __CUDAIR_COMPARE(op)                                                                                            \
    template <typename T, typename U> __CUDAIR_HD bool operator op(const device_ptr<T>& a, const device_ptr<U>& b) {    \
        return a.get() op b.get();                                                                                      \
    }
__CUDAIR_COMPARE(==)
__CUDAIR_COMPARE(!=)
__CUDAIR_COMPARE(<)
__CUDAIR_COMPARE(<=)
__CUDAIR_COMPARE(>)
__CUDAIR_COMPARE(>=)
#undef __CUDAIR_COMPARE
template <typename T> __CUDAIR_HD bool operator==(const device_ptr<T>& a, std::nullptr_t) { return a.get() == nullptr; }
template <typename T> __CUDAIR_HD bool operator==(std::nullptr_t, const device_ptr<T>& a) { return a.get() == nullptr; }
template <typename T> __CUDAIR_HD bool operator!=(const device_ptr<T>& a, std::nullptr_t) { return a.get() != nullptr; }
template <typename T> __CUDAIR_HD bool operator!=(std::nullptr_t, const device_ptr<T>& a) { return a.get() != nullptr; }
template <typename C, typename Traits, typename T>
std::basic_ostream<C, Traits>& operator<<(std::basic_ostream<C, Traits>& out, const device_ptr<T>& p) {
    return out << p.get();
}

template <typename T> __CUDAIR_HD device_reference<T>::device_reference(const device_ptr<T>& p) : at(p.get()) {}
template <typename T> __CUDAIR_HD device_ptr<T> device_reference<T>::operator&() const { return device_ptr<T>(at); }

/* Memory that both sides reach: what it points to needs no reference of ours. */
template <typename T> class universal_ptr {
    T* at;

public:
    typedef T element_type;
    typedef typename std::remove_cv<T>::type value_type;
    typedef typename std::add_lvalue_reference<T>::type reference;
    typedef universal_ptr pointer;
    typedef ptrdiff_t difference_type;
    typedef std::random_access_iterator_tag iterator_category;
    typedef device_system_tag cudair_system;
    typedef T* cudair_plain;
    template <typename U> using rebind = universal_ptr<U>;

    __host__ __device__ universal_ptr() : at(nullptr) {}
    __host__ __device__ universal_ptr(std::nullptr_t) : at(nullptr) {}
    template <typename U, typename = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
    __host__ __device__ explicit universal_ptr(U* p) : at(p) {}
    template <typename U, typename = typename std::enable_if<std::is_convertible<U*, T*>::value>::type>
    __host__ __device__ universal_ptr(const universal_ptr<U>& p) : at(p.get()) {}
    __host__ __device__ T* get() const { return at; }
    __host__ __device__ T* cudair_unwrap() const { return at; }
    __host__ __device__ explicit operator bool() const { return at != nullptr; }
    __host__ __device__ reference operator*() const { return *at; }
    __host__ __device__ reference operator[](difference_type i) const { return at[i]; }
    __host__ __device__ T* operator->() const { return at; }
    __host__ __device__ universal_ptr& operator++() { return ++at, *this; }
    __host__ __device__ universal_ptr& operator--() { return --at, *this; }
    __host__ __device__ universal_ptr operator++(int) { return universal_ptr(at++); }
    __host__ __device__ universal_ptr operator--(int) { return universal_ptr(at--); }
    __host__ __device__ universal_ptr& operator+=(difference_type n) { return at += n, *this; }
    __host__ __device__ universal_ptr& operator-=(difference_type n) { return at -= n, *this; }
    __host__ __device__ universal_ptr operator+(difference_type n) const { return universal_ptr(at + n); }
    __host__ __device__ universal_ptr operator-(difference_type n) const { return universal_ptr(at - n); }
    __host__ __device__ difference_type operator-(const universal_ptr& b) const { return at - b.at; }
    __host__ __device__ bool operator==(const universal_ptr& b) const { return at == b.at; }
    __host__ __device__ bool operator!=(const universal_ptr& b) const { return at != b.at; }
    __host__ __device__ bool operator<(const universal_ptr& b) const { return at < b.at; }
    __host__ __device__ bool operator<=(const universal_ptr& b) const { return at <= b.at; }
    __host__ __device__ bool operator>(const universal_ptr& b) const { return at > b.at; }
    __host__ __device__ bool operator>=(const universal_ptr& b) const { return at >= b.at; }
};

template <typename T> __CUDAIR_HD T* raw_pointer_cast(T* p) { return p; }
template <typename P> __CUDAIR_HD auto raw_pointer_cast(const P& p) -> decltype(p.get()) { return p.get(); }
template <typename P> __CUDAIR_HD auto raw_pointer_cast(const P& p) -> decltype(p.base().get()) { return p.base().get(); }
template <typename T> __CUDAIR_HD device_ptr<T> device_pointer_cast(T* p) { return device_ptr<T>(p); }
template <typename T> __CUDAIR_HD device_ptr<T> device_pointer_cast(const device_ptr<T>& p) { return p; }
template <typename T> __CUDAIR_HD T& raw_reference_cast(T& r) { return r; }
template <typename T> __CUDAIR_HD T& raw_reference_cast(const device_reference<T>& r) { return *r.cudair_at(); }
template <typename T> __CUDAIR_HD T& raw_reference_cast(device_reference<T>& r) { return *r.cudair_at(); }

namespace cuda_cub {
template <typename T> using pointer = device_ptr<T>;
}
namespace system {
namespace cuda {
template <typename T> using pointer = device_ptr<T>;
template <typename T> using reference = device_reference<T>;
template <typename T> using universal_pointer = universal_ptr<T>;
}
}

/* Memory of the device. */
inline device_ptr<void> device_malloc(size_t bytes) { return device_ptr<void>(device.cudair_get(bytes)); }
template <typename T> device_ptr<T> device_malloc(size_t n) {
    return device_ptr<T>(static_cast<T*>(device.cudair_get(n * sizeof(T))));
}
template <typename T> void device_free(device_ptr<T> p) {
    detail::throw_on_error(cudaFree((void*)p.get()), "device free failed");
}
template <typename T, typename P> __CUDAIR_HD device_ptr<T> malloc(const detail::execution_policy_base<P>&, size_t n) {
    return device_malloc<T>(n);
}
template <typename P> device_ptr<void> malloc(const detail::execution_policy_base<P>&, size_t n) { return device_malloc(n); }
template <typename P, typename T> void free(const detail::execution_policy_base<P>&, device_ptr<T> p) { device_free(p); }

template <typename T> struct device_allocator {
    typedef T value_type;
    typedef device_ptr<T> pointer;
    typedef device_ptr<const T> const_pointer;
    typedef device_reference<T> reference;
    typedef device_reference<const T> const_reference;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    template <typename U> struct rebind {
        typedef device_allocator<U> other;
    };
    device_allocator() {}
    template <typename U> device_allocator(const device_allocator<U>&) {}
    pointer allocate(size_t n) { return device_malloc<T>(n); }
    void deallocate(pointer p, size_t) { device_free(p); }
    bool operator==(const device_allocator&) const { return true; }
    bool operator!=(const device_allocator&) const { return false; }
};
template <typename T> using device_malloc_allocator = device_allocator<T>;

template <typename T> struct universal_allocator {
    typedef T value_type;
    typedef universal_ptr<T> pointer;
    typedef universal_ptr<const T> const_pointer;
    typedef T& reference;
    typedef const T& const_reference;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    template <typename U> struct rebind {
        typedef universal_allocator<U> other;
    };
    universal_allocator() {}
    template <typename U> universal_allocator(const universal_allocator<U>&) {}
    pointer allocate(size_t n) {
        void* memory = nullptr;
        if (const cudaError_t error = cudaMallocManaged(&memory, n * sizeof(T))) {
            cudaGetLastError();
            throw system::detail::bad_alloc(cuda_category().message(error));
        }
        return pointer(static_cast<T*>(memory));
    }
    void deallocate(pointer p, size_t) { detail::throw_on_error(cudaFree((void*)p.get()), "device free failed"); }
    bool operator==(const universal_allocator&) const { return true; }
    bool operator!=(const universal_allocator&) const { return false; }
};
/* Memory of the host whose pages do not move. */
template <typename T> struct universal_host_pinned_allocator {
    typedef T value_type;
    typedef T* pointer;
    template <typename U> struct rebind {
        typedef universal_host_pinned_allocator<U> other;
    };
    universal_host_pinned_allocator() {}
    template <typename U> universal_host_pinned_allocator(const universal_host_pinned_allocator<U>&) {}
    T* allocate(size_t n) {
        void* memory = nullptr;
        if (const cudaError_t error = cudaMallocHost(&memory, n * sizeof(T))) {
            cudaGetLastError();
            throw system::detail::bad_alloc(cuda_category().message(error));
        }
        return static_cast<T*>(memory);
    }
    void deallocate(T* p, size_t) { detail::throw_on_error(cudaFreeHost((void*)p), "host free failed"); }
    bool operator==(const universal_host_pinned_allocator&) const { return true; }
    bool operator!=(const universal_host_pinned_allocator&) const { return false; }
};
namespace system {
namespace cuda {
template <typename T> using allocator = device_allocator<T>;
template <typename T> using universal_allocator = thrust::universal_allocator<T>;
template <typename T> using universal_host_pinned_allocator = thrust::universal_host_pinned_allocator<T>;
namespace experimental {
template <typename T> using pinned_allocator = thrust::universal_host_pinned_allocator<T>;
}
}
}
namespace cuda_cub {}

}

#endif
