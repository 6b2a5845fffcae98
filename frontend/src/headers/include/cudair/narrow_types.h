/* The members that both 16-bit types have; read inside a class that defines __CUDAIR_H and __CUDAIR_F. */
    unsigned short __x;

public:
    __CUDAIR_H() = default;
    /* From bits, and to them: of cudair alone. */
    __host__ __device__ static __CUDAIR_H __of(unsigned short bits) {
        __CUDAIR_H h;
        h.__x = bits;
        return h;
    }
    __host__ __device__ unsigned short __bits() const { return __x; }

    __host__ __device__ constexpr __CUDAIR_H(const __CUDAIR_RAW& r) : __x(r.x) {}
    __host__ __device__ __CUDAIR_H& operator=(const __CUDAIR_RAW& r) {
        __x = r.x;
        return *this;
    }
    __host__ __device__ operator __CUDAIR_RAW() const {
        __CUDAIR_RAW r;
        r.x = __x;
        return r;
    }
#if !defined(__CUDAIR_NO_CONVERSIONS)
    __host__ __device__ __CUDAIR_H(const float f) : __x(__CUDAIR_NARROW_RN(f)) {}
    __host__ __device__ __CUDAIR_H(const double f) : __x(__CUDAIR_NARROW_RN(__cudair_odd(f))) {}
    __host__ __device__ __CUDAIR_H(const short i) : __x(__CUDAIR_NARROW_RN((float)i)) {}
    __host__ __device__ __CUDAIR_H(const unsigned short i) : __x(__CUDAIR_NARROW_RN((float)i)) {}
    __host__ __device__ __CUDAIR_H(const int i) : __x(__CUDAIR_NARROW_RN(__cudair_odd_signed(i))) {}
    __host__ __device__ __CUDAIR_H(const long i) : __x(__CUDAIR_NARROW_RN(__cudair_odd_signed(i))) {}
    __host__ __device__ __CUDAIR_H(const long long i) : __x(__CUDAIR_NARROW_RN(__cudair_odd_signed(i))) {}
    __host__ __device__ __CUDAIR_H(const unsigned int i) : __x(__CUDAIR_NARROW_RN(__cudair_odd_integer(i, false))) {}
    __host__ __device__ __CUDAIR_H(const unsigned long i)
        : __x(__CUDAIR_NARROW_RN(__cudair_odd_integer(i, false))) {}
    __host__ __device__ __CUDAIR_H(const unsigned long long i)
        : __x(__CUDAIR_NARROW_RN(__cudair_odd_integer(i, false))) {}
    __host__ __device__ __CUDAIR_H& operator=(const float f) { return *this = __CUDAIR_H(f); }
    __host__ __device__ __CUDAIR_H& operator=(const double f) { return *this = __CUDAIR_H(f); }
    __host__ __device__ __CUDAIR_H& operator=(const short i) { return *this = __CUDAIR_H(i); }
    __host__ __device__ __CUDAIR_H& operator=(const unsigned short i) { return *this = __CUDAIR_H(i); }
    __host__ __device__ __CUDAIR_H& operator=(const int i) { return *this = __CUDAIR_H(i); }
    __host__ __device__ __CUDAIR_H& operator=(const unsigned int i) { return *this = __CUDAIR_H(i); }
    __host__ __device__ __CUDAIR_H& operator=(const long long i) { return *this = __CUDAIR_H(i); }
    __host__ __device__ __CUDAIR_H& operator=(const unsigned long long i) { return *this = __CUDAIR_H(i); }

    __host__ __device__ operator float() const { return __CUDAIR_AS_FLOAT(__x); }
    __host__ __device__ operator signed char() const { return __cudair_to_char(__builtin_truncf(__CUDAIR_WIDEN(__x))); }
    __host__ __device__ operator unsigned char() const {
        return __cudair_to_uchar(__builtin_truncf(__CUDAIR_WIDEN(__x)));
    }
    __host__ __device__ operator char() const { return __cudair_to_char(__builtin_truncf(__CUDAIR_WIDEN(__x))); }
    __host__ __device__ operator short() const { return __cudair_to_short(__builtin_truncf(__CUDAIR_WIDEN(__x))); }
    __host__ __device__ operator unsigned short() const {
        return __cudair_to_ushort(__builtin_truncf(__CUDAIR_WIDEN(__x)));
    }
    __host__ __device__ operator int() const { return __cudair_to_int(__builtin_truncf(__CUDAIR_WIDEN(__x))); }
    __host__ __device__ operator unsigned int() const {
        return __cudair_to_uint(__builtin_truncf(__CUDAIR_WIDEN(__x)));
    }
    __host__ __device__ operator long() const { return __cudair_to_ll(__builtin_truncf(__CUDAIR_WIDEN(__x))); }
    __host__ __device__ operator unsigned long() const {
        return __cudair_to_ull(__builtin_truncf(__CUDAIR_WIDEN(__x)));
    }
    __host__ __device__ operator long long() const { return __cudair_to_ll(__builtin_truncf(__CUDAIR_WIDEN(__x))); }
    __host__ __device__ operator unsigned long long() const {
        return __cudair_to_ull(__builtin_truncf(__CUDAIR_WIDEN(__x)));
    }
    __host__ __device__ constexpr operator bool() const { return (__x & 0x7fff) != 0; }
#endif
