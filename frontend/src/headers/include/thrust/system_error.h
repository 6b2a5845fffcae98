/* What Thrust throws where CUDA's runtime reports an error. */
#ifndef CUDAIR_THRUST_SYSTEM_ERROR_H
#define CUDAIR_THRUST_SYSTEM_ERROR_H

#include <cuda_runtime.h>
#include <stdexcept>
#include <string>
#include <thrust/version.h>

namespace thrust {
namespace system {

class error_code;

/* Tells what the numbers of errors mean. There is one object of each. */
class error_category {
public:
    error_category() {}
    error_category(const error_category&) = delete;
    error_category& operator=(const error_category&) = delete;
    virtual ~error_category() {}
    virtual const char* name() const = 0;
    virtual std::string message(int ev) const = 0;
    bool operator==(const error_category& other) const { return this == &other; }
    bool operator!=(const error_category& other) const { return this != &other; }
};

namespace detail {

class cuda_error_category : public error_category {
public:
    const char* name() const override { return "cuda"; }
    std::string message(int ev) const override {
        const cudaError_t error = static_cast<cudaError_t>(ev);
        return std::string(cudaGetErrorName(error)) + ": " + cudaGetErrorString(error);
    }
};

class generic_error_category : public error_category {
public:
    const char* name() const override { return "generic"; }
    std::string message(int ev) const override { return "error " + std::to_string(ev); }
};

}

inline const error_category& cuda_category() {
    static detail::cuda_error_category category;
    return category;
}
inline const error_category& generic_category() {
    static detail::generic_error_category category;
    return category;
}
inline const error_category& system_category() { return generic_category(); }

class error_code {
    int number;
    const error_category* kind;

public:
    error_code() : number(0), kind(&system_category()) {}
    error_code(int val, const error_category& cat) : number(val), kind(&cat) {}
    void assign(int val, const error_category& cat) {
        number = val;
        kind = &cat;
    }
    void clear() { assign(0, system_category()); }
    int value() const { return number; }
    const error_category& category() const { return *kind; }
    std::string message() const { return kind->message(number); }
    explicit operator bool() const { return number != 0; }
};
inline bool operator==(const error_code& a, const error_code& b) {
    return a.category() == b.category() && a.value() == b.value();
}
inline bool operator!=(const error_code& a, const error_code& b) { return !(a == b); }

class system_error : public std::runtime_error {
    error_code number;
    std::string text;

    static std::string spell(const std::string& what, const error_code& ec) {
        return what.empty() || !ec ? what + (ec ? ec.message() : std::string()) : what + ": " + ec.message();
    }

public:
    system_error(error_code ec, const std::string& what_arg)
        : std::runtime_error(what_arg), number(ec), text(spell(what_arg, ec)) {}
    system_error(error_code ec, const char* what_arg)
        : std::runtime_error(what_arg), number(ec), text(spell(what_arg, ec)) {}
    explicit system_error(error_code ec) : std::runtime_error(""), number(ec), text(spell("", ec)) {}
    system_error(int ev, const error_category& cat, const std::string& what_arg)
        : system_error(error_code(ev, cat), what_arg) {}
    system_error(int ev, const error_category& cat, const char* what_arg)
        : system_error(error_code(ev, cat), what_arg) {}
    system_error(int ev, const error_category& cat) : system_error(error_code(ev, cat)) {}
    const error_code& code() const noexcept { return number; }
    const char* what() const noexcept override { return text.c_str(); }
};

namespace cuda {
namespace errc {
enum errc_t { success = cudaSuccess, memory_allocation = cudaErrorMemoryAllocation, unknown_error = cudaErrorUnknown };
}
}

namespace detail {

/* Not enough memory of the device. */
class bad_alloc : public std::bad_alloc {
    std::string text;

public:
    explicit bad_alloc(const std::string& w) : text("std::bad_alloc: " + w) {}
    const char* what() const noexcept override { return text.c_str(); }
};

}
}

using system::cuda_category;
using system::error_category;
using system::error_code;
using system::generic_category;
using system::system_category;
using system::system_error;
namespace errc = system::cuda::errc;

}

#endif
