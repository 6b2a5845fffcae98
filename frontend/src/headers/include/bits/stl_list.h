// The list's nodes, with what the standard library has in its binary: hooking them in and out.
#pragma GCC system_header
#include_next <bits/stl_list.h>
#ifndef __CUDAIR_STL_LIST
#define __CUDAIR_STL_LIST 1

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION
namespace __detail {

inline void _List_node_base::_M_hook(_List_node_base* const __position) noexcept {
  _M_next = __position;
  _M_prev = __position->_M_prev;
  __position->_M_prev->_M_next = this;
  __position->_M_prev = this;
}

inline void _List_node_base::_M_unhook() noexcept {
  _M_next->_M_prev = _M_prev;
  _M_prev->_M_next = _M_next;
}

// Moves the nodes from `__first` up to `__last` in front of this one.
inline void _List_node_base::_M_transfer(_List_node_base* const __first, _List_node_base* const __last) noexcept {
  if (this == __last) return;
  _List_node_base* const __final = __last->_M_prev;
  __first->_M_prev->_M_next = __last;
  __last->_M_prev = __first->_M_prev;
  __first->_M_prev = _M_prev;
  _M_prev->_M_next = __first;
  __final->_M_next = this;
  _M_prev = __final;
}

inline void _List_node_base::_M_reverse() noexcept {
  _List_node_base* __node = this;
  do {
    _List_node_base* const __next = __node->_M_next;
    __node->_M_next = __node->_M_prev;
    __node->_M_prev = __next;
    __node = __next;
  } while (__node != this);
}

inline void _List_node_base::swap(_List_node_base& __x, _List_node_base& __y) noexcept {
  const bool __empty_x = __x._M_next == &__x, __empty_y = __y._M_next == &__y;
  _List_node_base* const __next = __x._M_next;
  _List_node_base* const __prev = __x._M_prev;
  __x._M_next = __empty_y ? &__x : __y._M_next;
  __x._M_prev = __empty_y ? &__x : __y._M_prev;
  __y._M_next = __empty_x ? &__y : __next;
  __y._M_prev = __empty_x ? &__y : __prev;
  __x._M_next->_M_prev = __x._M_prev->_M_next = &__x;
  __y._M_next->_M_prev = __y._M_prev->_M_next = &__y;
}

}
_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
