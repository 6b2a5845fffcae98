/* What vectors of the host and of the device have in common. Their elements are made, copied and destroyed by the
   algorithms of their system. */
#ifndef CUDAIR_THRUST_VECTOR_BASE_H
#define CUDAIR_THRUST_VECTOR_BASE_H

#include <initializer_list>
#include <thrust/copy.h>
#include <thrust/detail/facade.h>
#include <thrust/detail/pointer.h>
#include <thrust/fill.h>
#include <thrust/find.h>
#include <thrust/iterator/reverse_iterator.h>
#include <vector>

namespace thrust {

struct no_init_t {};
struct default_init_t {};
static constexpr no_init_t no_init{};
static constexpr default_init_t default_init{};

namespace detail {

/* Iterators of the host are plain pointers. */
template <typename P> struct vector_iterator {
    typedef normal_iterator<P> type;
    static type at(P p) { return type(p); }
};
template <typename T> struct vector_iterator<T*> {
    typedef T* type;
    static type at(T* p) { return p; }
};
template <typename P, typename U> struct rebound {
    typedef typename P::template rebind<U> type;
};
template <typename T, typename U> struct rebound<T*, U> {
    typedef U* type;
};

template <typename It> struct destroy_at_index {
    It it;
    __device__ void operator()(long long i) const {
        typedef value_of<It> T;
        it[i].~T();
    }
};

template <typename It, typename = void> struct is_iterator : std::false_type {};
template <typename It> struct is_iterator<It, void_t<typename std::iterator_traits<It>::iterator_category>> : std::true_type {};

template <typename T, typename Allocator> class vector_base {
public:
    typedef T value_type;
    typedef Allocator allocator_type;
    typedef decltype(std::declval<Allocator&>().allocate(size_t())) pointer;
    typedef typename rebound<pointer, const T>::type const_pointer;
    typedef typename std::iterator_traits<pointer>::reference reference;
    typedef typename std::iterator_traits<const_pointer>::reference const_reference;
    typedef size_t size_type;
    typedef ptrdiff_t difference_type;
    typedef typename vector_iterator<pointer>::type iterator;
    typedef typename vector_iterator<const_pointer>::type const_iterator;
    typedef thrust::reverse_iterator<iterator> reverse_iterator;
    typedef thrust::reverse_iterator<const_iterator> const_reverse_iterator;

private:
    static constexpr bool ON_DEVICE = std::is_same<system_of_t<pointer>, device_system_tag>::value;
    Allocator memory;
    pointer start{};
    size_t count = 0, room = 0;

    static T* raw(pointer p) { return unwrap(p); }
    /* Makes elements of raw memory. */
    void construct(size_t at, size_t n, const T& value) {
        if (n == 0) return;
        if constexpr (ON_DEVICE) {
            if constexpr (std::is_arithmetic<T>::value || std::is_pointer<T>::value) {
                const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&value);
                bool zero = true;
                for (size_t i = 0; i < sizeof(T); i++) zero = zero && bytes[i] == 0;
                if (zero) return throw_on_error(cudaMemset((void*)(raw(start) + at), 0, n * sizeof(T)), "fill: failed to synchronize");
            }
            fill_device(device, start + at, n, value);
        } else {
            for (size_t i = at; i < at + n; i++) ::new ((void*)(start + i)) T(value);
        }
    }
    template <typename It> void construct_from(size_t at, It first, It last) {
        if constexpr (ON_DEVICE) {
            copy_across(first, last, start + at);
        } else if constexpr (std::is_same<system_of_t<It>, device_system_tag>::value && std::is_trivially_copyable<T>::value) {
            copy_across(first, last, start + at);
        } else if constexpr (std::is_same<system_of_t<It>, device_system_tag>::value) {
            for (size_t i = at; first != last; ++first, ++i) ::new ((void*)(start + i)) T(static_cast<T>(*first));
        } else {
            for (size_t i = at; first != last; ++first, ++i) ::new ((void*)(start + i)) T(*first);
        }
    }
    void destroy(size_t at, size_t n) {
        if constexpr (!std::is_trivially_destructible<T>::value) {
            if constexpr (ON_DEVICE) {
                each(device, n, destroy_at_index<T*>{raw(start) + at}, "destroy: failed to synchronize");
            } else {
                for (size_t i = at; i < at + n; i++) start[i].~T();
            }
        }
    }
    void release() {
        if (room == 0) return;
        try {
            destroy(0, count);
            memory.deallocate(start, room);
        } catch (const system_error&) {
            /* What went wrong has been told where it did. */
        }
        start = pointer();
        count = room = 0;
    }
    /* Moves to memory with room for `n` elements. */
    void grow(size_t n) {
        vector_base bigger(memory);
        bigger.take_room(n);
        bigger.construct_from(0, begin(), end());
        bigger.count = count;
        swap(bigger);
    }
    void take_room(size_t n) {
        if (n == 0) return;
        start = memory.allocate(n);
        room = n;
    }
    void make_room(size_t n) {
        if (n > room) grow(n > 2 * room ? n : 2 * room);
    }

protected:
    explicit vector_base(const Allocator& a) : memory(a) {}

public:
    vector_base() : memory() {}
    explicit vector_base(size_t n) : memory() {
        take_room(n);
        construct(0, n, T());
        count = n;
    }
    vector_base(size_t n, no_init_t) : memory() {
        take_room(n);
        count = n;
    }
    vector_base(size_t n, default_init_t) : memory() {
        take_room(n);
        if constexpr (!std::is_trivially_default_constructible<T>::value) construct(0, n, T());
        count = n;
    }
    vector_base(size_t n, const T& value) : memory() {
        take_room(n);
        construct(0, n, value);
        count = n;
    }
    vector_base(size_t n, const T& value, const Allocator& a) : memory(a) {
        take_room(n);
        construct(0, n, value);
        count = n;
    }
    template <typename It, typename = typename std::enable_if<is_iterator<It>::value>::type> vector_base(It first, It last) : memory() {
        assign(first, last);
    }
    vector_base(const vector_base& other) : memory(other.memory) { assign(other.begin(), other.end()); }
    vector_base(vector_base&& other) noexcept : memory() { swap(other); }
    ~vector_base() { release(); }
    vector_base& operator=(const vector_base& other) {
        if (this != &other) assign(other.begin(), other.end());
        return *this;
    }
    vector_base& operator=(vector_base&& other) {
        if (this != &other) {
            release();
            swap(other);
        }
        return *this;
    }

    iterator begin() { return vector_iterator<pointer>::at(start); }
    iterator end() { return begin() + count; }
    const_iterator begin() const { return vector_iterator<const_pointer>::at(const_pointer(start)); }
    const_iterator end() const { return begin() + count; }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    const_reverse_iterator rbegin() const { return const_reverse_iterator(end()); }
    const_reverse_iterator rend() const { return const_reverse_iterator(begin()); }
    const_reverse_iterator crbegin() const { return rbegin(); }
    const_reverse_iterator crend() const { return rend(); }
    pointer data() { return start; }
    const_pointer data() const { return const_pointer(start); }
    size_t size() const { return count; }
    size_t capacity() const { return room; }
    size_t max_size() const { return size_t(-1) / sizeof(T) / 2; }
    bool empty() const { return count == 0; }
    reference operator[](size_t i) { return start[i]; }
    const_reference operator[](size_t i) const { return const_pointer(start)[i]; }
    reference front() { return start[0]; }
    const_reference front() const { return const_pointer(start)[0]; }
    reference back() { return start[count - 1]; }
    const_reference back() const { return const_pointer(start)[count - 1]; }
    Allocator get_allocator() const { return memory; }

    void reserve(size_t n) {
        if (n > room) grow(n);
    }
    void shrink_to_fit() {
        if (room > count) grow(count);
    }
    void resize(size_t n, const T& value) {
        if (n > count) {
            make_room(n);
            construct(count, n - count, value);
        } else {
            destroy(n, count - n);
        }
        count = n;
    }
    void resize(size_t n) { resize(n, T()); }
    void resize(size_t n, no_init_t) {
        if (n > count) make_room(n);
        else destroy(n, count - n);
        count = n;
    }
    void resize(size_t n, default_init_t) {
        if constexpr (std::is_trivially_default_constructible<T>::value) resize(n, no_init);
        else resize(n, T());
    }
    void clear() { resize(0, T()); }
    void push_back(const T& value) {
        const T copy = value;
        make_room(count + 1);
        construct(count, 1, copy);
        count++;
    }
    template <typename... A> void emplace_back(A&&... a) { push_back(T(std::forward<A>(a)...)); }
    void pop_back() { resize(count - 1, T()); }
    void swap(vector_base& other) {
        std::swap(memory, other.memory);
        std::swap(start, other.start);
        std::swap(count, other.count);
        std::swap(room, other.room);
    }
    void assign(size_t n, const T& value) {
        const T copy = value;
        destroy(0, count);
        count = 0;
        if (n > room) {
            release();
            take_room(n);
        }
        construct(0, n, copy);
        count = n;
    }
    template <typename It, typename = typename std::enable_if<is_iterator<It>::value>::type> void assign(It first, It last) {
        const size_t n = thrust::distance(first, last);
        destroy(0, count);
        count = 0;
        if (n > room) {
            release();
            take_room(n);
        }
        construct_from(0, first, last);
        count = n;
    }
    void assign(std::initializer_list<T> list) { assign(list.begin(), list.end()); }

    iterator erase(const_iterator at) { return erase(at, at + 1); }
    iterator erase(const_iterator first, const_iterator last) {
        const size_t from = first - cbegin(), to = last - cbegin();
        vector_base after(memory);
        after.assign(last, cend());
        if constexpr (ON_DEVICE) copy_across(after.begin(), after.end(), start + from);
        else copy_loop(after.begin(), after.end(), start + from);
        destroy(count - (to - from), to - from);
        count -= to - from;
        return begin() + from;
    }
    iterator insert(const_iterator at, const T& value) { return insert_n(at - cbegin(), 1, value); }
    void insert(const_iterator at, size_t n, const T& value) { insert_n(at - cbegin(), n, value); }
    template <typename It, typename = typename std::enable_if<is_iterator<It>::value>::type> iterator insert(const_iterator at, It first, It last) {
        const size_t from = at - cbegin();
        vector_base added(memory), after(memory);
        added.assign(first, last);
        after.assign(cbegin() + from, cend());
        resize(from);
        append(added);
        append(after);
        return begin() + from;
    }

private:
    iterator insert_n(size_t from, size_t n, const T& value) {
        const T copy = value;
        vector_base after(memory);
        after.assign(cbegin() + from, cend());
        resize(from);
        resize(from + n, copy);
        append(after);
        return begin() + from;
    }
    void append(const vector_base& other) {
        make_room(count + other.count);
        construct_from(count, other.begin(), other.end());
        count += other.count;
    }
};

template <typename A, typename B> bool vectors_equal(const A& a, const B& b) {
    if (a.size() != b.size()) return false;
    if constexpr (std::is_same<system_of_t<typename A::const_iterator>, system_of_t<typename B::const_iterator>>::value) {
        return thrust::equal(a.begin(), a.end(), b.begin());
    } else {
        /* Elements of the device are looked at on the host. */
        staging<typename A::value_type> x(a.size());
        staging<typename B::value_type> y(b.size());
        x.count = a.size();
        y.count = b.size();
        copy_across(a.begin(), a.end(), x.memory);
        copy_across(b.begin(), b.end(), y.memory);
        for (size_t i = 0; i < a.size(); i++)
            if (!(x.memory[i] == y.memory[i])) return false;
        return true;
    }
}

}

/* The vectors themselves take over the elements of any other. */
#define __CUDAIR_VECTOR(name, default_allocator)                                                                        \
    template <typename T, typename Allocator = default_allocator<T>> class name : public detail::vector_base<T, Allocator> { \
        typedef detail::vector_base<T, Allocator> Base;                                                                 \
                                                                                                                        \
    public:                                                                                                             \
        name() {}                                                                                                       \
        explicit name(const Allocator& a) : Base(a) {}                                                                  \
        explicit name(size_t n) : Base(n) {}                                                                            \
        name(size_t n, no_init_t tag) : Base(n, tag) {}                                                                 \
        name(size_t n, default_init_t tag) : Base(n, tag) {}                                                            \
        name(size_t n, const T& value) : Base(n, value) {}                                                              \
        name(size_t n, const T& value, const Allocator& a) : Base(n, value, a) {}                                       \
        template <typename It, typename = typename std::enable_if<detail::is_iterator<It>::value>::type>                \
        name(It first, It last) : Base(first, last) {}                                                                  \
        name(const name& other) : Base(static_cast<const Base&>(other)) {}                                              \
        name(name&& other) : Base(static_cast<Base&&>(other)) {}                                                        \
        name(std::initializer_list<T> list) : Base(list.begin(), list.end()) {}                                         \
        template <typename U, typename A> name(const detail::vector_base<U, A>& other) : Base(other.begin(), other.end()) {} \
        template <typename U, typename A> name(const std::vector<U, A>& other) : Base(other.begin(), other.end()) {}     \
        name& operator=(const name& other) {                                                                            \
            Base::operator=(static_cast<const Base&>(other));                                                           \
            return *this;                                                                                               \
        }                                                                                                               \
        name& operator=(name&& other) {                                                                                 \
            Base::operator=(static_cast<Base&&>(other));                                                                \
            return *this;                                                                                               \
        }                                                                                                               \
        template <typename U, typename A> name& operator=(const detail::vector_base<U, A>& other) {                     \
            Base::assign(other.begin(), other.end());                                                                   \
            return *this;                                                                                               \
        }                                                                                                               \
        template <typename U, typename A> name& operator=(const std::vector<U, A>& other) {                             \
            Base::assign(other.begin(), other.end());                                                                   \
            return *this;                                                                                               \
        }                                                                                                               \
        name& operator=(std::initializer_list<T> list) {                                                                \
            Base::assign(list.begin(), list.end());                                                                     \
            return *this;                                                                                               \
        }                                                                                                               \
    };                                                                                                                  \
    template <typename T, typename A> void swap(name<T, A>& a, name<T, A>& b) { a.swap(b); }

template <typename T, typename A, typename U, typename B>
bool operator==(const detail::vector_base<T, A>& a, const detail::vector_base<U, B>& b) {
    return detail::vectors_equal(a, b);
}
template <typename T, typename A, typename U, typename B>
bool operator!=(const detail::vector_base<T, A>& a, const detail::vector_base<U, B>& b) {
    return !detail::vectors_equal(a, b);
}
template <typename T, typename A, typename U, typename B> bool operator==(const detail::vector_base<T, A>& a, const std::vector<U, B>& b) {
    return detail::vectors_equal(a, b);
}
template <typename T, typename A, typename U, typename B> bool operator==(const std::vector<U, B>& a, const detail::vector_base<T, A>& b) {
    return detail::vectors_equal(a, b);
}
template <typename T, typename A, typename U, typename B> bool operator!=(const detail::vector_base<T, A>& a, const std::vector<U, B>& b) {
    return !detail::vectors_equal(a, b);
}
template <typename T, typename A, typename U, typename B> bool operator!=(const std::vector<U, B>& a, const detail::vector_base<T, A>& b) {
    return !detail::vectors_equal(a, b);
}

}

#endif
