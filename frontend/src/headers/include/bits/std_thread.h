// Threads, with what the standard library has in its binary.
#pragma GCC system_header
#include_next <bits/std_thread.h>
#if defined(_GLIBCXX_HAS_GTHREADS) && !defined(__CUDAIR_STD_THREAD)
#define __CUDAIR_STD_THREAD 1

#include <bits/functexcept.h>
// <stop_token> asks whether the program has one thread, and relies on other headers to declare it.
#include <ext/atomicity.h>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

inline thread::_State::~_State() = default;

// An exception that leaves a thread ends the program.
inline void* __cudair_run_thread(void* __state) noexcept {
  const unique_ptr<thread::_State> __owner(static_cast<thread::_State*>(__state));
  __owner->_M_run();
  return nullptr;
}
inline void thread::_M_start_thread(_State_ptr __state, void (*)()) {
  const int __error = pthread_create(&_M_id._M_thread, nullptr, &__cudair_run_thread, __state.get());
  if (__error) __throw_system_error(__error);
  __state.release();
}
inline void thread::join() {
  const int __error = joinable() ? pthread_join(_M_id._M_thread, nullptr) : 22;
  if (__error) __throw_system_error(__error);
  _M_id = id();
}
inline void thread::detach() {
  const int __error = joinable() ? pthread_detach(_M_id._M_thread) : 22;
  if (__error) __throw_system_error(__error);
  _M_id = id();
}

_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
