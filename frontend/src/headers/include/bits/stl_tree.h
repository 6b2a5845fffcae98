// The ordered containers' tree, with what the standard library has in its binary: walking it, and keeping it
// balanced. Nodes and header are the library's: the header's parent is the root, its children are the first
// and the last node.
#pragma GCC system_header
#include_next <bits/stl_tree.h>
#ifndef __CUDAIR_STL_TREE
#define __CUDAIR_STL_TREE 1

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

#define __CUDAIR_OUT_OF_LINE inline __attribute__((annotate("cudair.out_of_line")))

__CUDAIR_OUT_OF_LINE _Rb_tree_node_base* _Rb_tree_increment(_Rb_tree_node_base* __node) throw() {
  if (__node->_M_right != nullptr) {
    __node = __node->_M_right;
    while (__node->_M_left != nullptr) __node = __node->_M_left;
    return __node;
  }
  _Rb_tree_node_base* __above = __node->_M_parent;
  while (__node == __above->_M_right) {
    __node = __above;
    __above = __above->_M_parent;
  }
  // From the root of a tree without a right side the header is reached twice.
  return __node->_M_right != __above ? __above : __node;
}

__CUDAIR_OUT_OF_LINE const _Rb_tree_node_base* _Rb_tree_increment(const _Rb_tree_node_base* __node) throw() {
  return _Rb_tree_increment(const_cast<_Rb_tree_node_base*>(__node));
}

__CUDAIR_OUT_OF_LINE _Rb_tree_node_base* _Rb_tree_decrement(_Rb_tree_node_base* __node) throw() {
  if (__node->_M_color == _S_red && __node->_M_parent->_M_parent == __node) return __node->_M_right;
  if (__node->_M_left != nullptr) {
    __node = __node->_M_left;
    while (__node->_M_right != nullptr) __node = __node->_M_right;
    return __node;
  }
  _Rb_tree_node_base* __above = __node->_M_parent;
  while (__node == __above->_M_left) {
    __node = __above;
    __above = __above->_M_parent;
  }
  return __above;
}

__CUDAIR_OUT_OF_LINE const _Rb_tree_node_base* _Rb_tree_decrement(const _Rb_tree_node_base* __node) throw() {
  return _Rb_tree_decrement(const_cast<_Rb_tree_node_base*>(__node));
}

// Puts `__child` where `__old` hangs.
__CUDAIR_OUT_OF_LINE void __cudair_tree_replace(_Rb_tree_node_base* __old, _Rb_tree_node_base* __child,
                                                _Rb_tree_node_base*& __root) {
  _Rb_tree_node_base* __above = __old->_M_parent;
  if (__old == __root)
    __root = __child;
  else if (__old == __above->_M_left)
    __above->_M_left = __child;
  else
    __above->_M_right = __child;
  if (__child != nullptr) __child->_M_parent = __above;
}

// Turns a node down to the given side; its child of the other side takes its place.
__CUDAIR_OUT_OF_LINE void __cudair_tree_rotate(_Rb_tree_node_base* __node, bool __to_left,
                                               _Rb_tree_node_base*& __root) {
  _Rb_tree_node_base* __up = __to_left ? __node->_M_right : __node->_M_left;
  _Rb_tree_node_base* __moved = __to_left ? __up->_M_left : __up->_M_right;
  __cudair_tree_replace(__node, __up, __root);
  if (__to_left) {
    __node->_M_right = __moved;
    __up->_M_left = __node;
  } else {
    __node->_M_left = __moved;
    __up->_M_right = __node;
  }
  if (__moved != nullptr) __moved->_M_parent = __node;
  __node->_M_parent = __up;
}

__CUDAIR_OUT_OF_LINE void _Rb_tree_insert_and_rebalance(const bool __left, _Rb_tree_node_base* __node,
                                                        _Rb_tree_node_base* __parent,
                                                        _Rb_tree_node_base& __header) throw() {
  __node->_M_parent = __parent;
  __node->_M_left = nullptr;
  __node->_M_right = nullptr;
  __node->_M_color = _S_red;
  if (__left) {
    __parent->_M_left = __node;
    if (__parent == &__header) {
      __header._M_parent = __node;
      __header._M_right = __node;
    } else if (__parent == __header._M_left)
      __header._M_left = __node;
  } else {
    __parent->_M_right = __node;
    if (__parent == __header._M_right) __header._M_right = __node;
  }
  _Rb_tree_node_base*& __root = __header._M_parent;
  while (__node != __root && __node->_M_parent->_M_color == _S_red) {
    _Rb_tree_node_base* __above = __node->_M_parent;
    _Rb_tree_node_base* __top = __above->_M_parent;
    const bool __is_left = __above == __top->_M_left;
    _Rb_tree_node_base* __uncle = __is_left ? __top->_M_right : __top->_M_left;
    if (__uncle != nullptr && __uncle->_M_color == _S_red) {
      __above->_M_color = __uncle->_M_color = _S_black;
      __top->_M_color = _S_red;
      __node = __top;
      continue;
    }
    if (__node == (__is_left ? __above->_M_right : __above->_M_left)) {
      __node = __above;
      __cudair_tree_rotate(__node, __is_left, __root);
      __above = __node->_M_parent;
    }
    __above->_M_color = _S_black;
    __top->_M_color = _S_red;
    __cudair_tree_rotate(__top, !__is_left, __root);
  }
  __root->_M_color = _S_black;
}

__CUDAIR_OUT_OF_LINE _Rb_tree_node_base* _Rb_tree_rebalance_for_erase(_Rb_tree_node_base* const __gone,
                                                                      _Rb_tree_node_base& __header) throw() {
  _Rb_tree_node_base*& __root = __header._M_parent;
  _Rb_tree_node_base* __child;
  _Rb_tree_node_base* __above;
  _Rb_tree_color __color = __gone->_M_color;
  if (__gone->_M_left != nullptr && __gone->_M_right != nullptr) {
    // The next node takes its place and its colour.
    _Rb_tree_node_base* __next = __gone->_M_right;
    while (__next->_M_left != nullptr) __next = __next->_M_left;
    __color = __next->_M_color;
    __child = __next->_M_right;
    if (__next->_M_parent == __gone)
      __above = __next;
    else {
      __above = __next->_M_parent;
      __above->_M_left = __child;
      if (__child != nullptr) __child->_M_parent = __above;
      __next->_M_right = __gone->_M_right;
      __next->_M_right->_M_parent = __next;
    }
    __next->_M_left = __gone->_M_left;
    __next->_M_left->_M_parent = __next;
    __cudair_tree_replace(__gone, __next, __root);
    __next->_M_color = __gone->_M_color;
  } else {
    __child = __gone->_M_left != nullptr ? __gone->_M_left : __gone->_M_right;
    __above = __gone->_M_parent;
    __cudair_tree_replace(__gone, __child, __root);
    if (__header._M_left == __gone)
      __header._M_left = __child == nullptr ? __above : _Rb_tree_node_base::_S_minimum(__child);
    if (__header._M_right == __gone)
      __header._M_right = __child == nullptr ? __above : _Rb_tree_node_base::_S_maximum(__child);
  }
  if (__color == _S_red) return __gone;
  // One black node is missing on the way to `__child`.
  while (__child != __root && (__child == nullptr || __child->_M_color == _S_black)) {
    const bool __is_left = __child == __above->_M_left;
    _Rb_tree_node_base* __other = __is_left ? __above->_M_right : __above->_M_left;
    if (__other->_M_color == _S_red) {
      __other->_M_color = _S_black;
      __above->_M_color = _S_red;
      __cudair_tree_rotate(__above, __is_left, __root);
      __other = __is_left ? __above->_M_right : __above->_M_left;
    }
    _Rb_tree_node_base* __near = __is_left ? __other->_M_left : __other->_M_right;
    _Rb_tree_node_base* __far = __is_left ? __other->_M_right : __other->_M_left;
    const bool __near_red = __near != nullptr && __near->_M_color == _S_red;
    const bool __far_red = __far != nullptr && __far->_M_color == _S_red;
    if (!__near_red && !__far_red) {
      __other->_M_color = _S_red;
      __child = __above;
      __above = __above->_M_parent;
      continue;
    }
    if (!__far_red) {
      __near->_M_color = _S_black;
      __other->_M_color = _S_red;
      __cudair_tree_rotate(__other, !__is_left, __root);
      __far = __other;
      __other = __near;
    }
    __other->_M_color = __above->_M_color;
    __above->_M_color = _S_black;
    __far->_M_color = _S_black;
    __cudair_tree_rotate(__above, __is_left, __root);
    break;
  }
  if (__child != nullptr) __child->_M_color = _S_black;
  return __gone;
}

#undef __CUDAIR_OUT_OF_LINE
_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
