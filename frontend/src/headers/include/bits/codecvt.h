// Conversions between encodings of characters: the classes, and the conversion of `char` to itself.
#ifndef _CODECVT_H
#define _CODECVT_H 1
#pragma GCC system_header

#include <bits/cudair_locale.h>
#include <cwchar>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

class codecvt_base {
 public:
  enum result { ok, partial, error, noconv };
};

template <typename _InternT, typename _ExternT, typename _StateT>
class __codecvt_abstract_base : public locale::facet, public codecvt_base {
 public:
  typedef codecvt_base::result result;
  typedef _InternT intern_type;
  typedef _ExternT extern_type;
  typedef _StateT state_type;

  result out(state_type& __state, const intern_type* __from, const intern_type* __from_end,
             const intern_type*& __from_next, extern_type* __to, extern_type* __to_end, extern_type*& __to_next) const {
    return do_out(__state, __from, __from_end, __from_next, __to, __to_end, __to_next);
  }
  result unshift(state_type& __state, extern_type* __to, extern_type* __to_end, extern_type*& __to_next) const {
    return do_unshift(__state, __to, __to_end, __to_next);
  }
  result in(state_type& __state, const extern_type* __from, const extern_type* __from_end,
            const extern_type*& __from_next, intern_type* __to, intern_type* __to_end, intern_type*& __to_next) const {
    return do_in(__state, __from, __from_end, __from_next, __to, __to_end, __to_next);
  }
  int encoding() const throw() { return do_encoding(); }
  bool always_noconv() const throw() { return do_always_noconv(); }
  int length(state_type& __state, const extern_type* __from, const extern_type* __end, size_t __max) const {
    return do_length(__state, __from, __end, __max);
  }
  int max_length() const throw() { return do_max_length(); }

 protected:
  explicit __codecvt_abstract_base(size_t __refs = 0) : locale::facet(__refs) {}
  virtual ~__codecvt_abstract_base() {}
  virtual result do_out(state_type&, const intern_type*, const intern_type*, const intern_type*&, extern_type*,
                        extern_type*, extern_type*&) const = 0;
  virtual result do_unshift(state_type&, extern_type*, extern_type*, extern_type*&) const = 0;
  virtual result do_in(state_type&, const extern_type*, const extern_type*, const extern_type*&, intern_type*,
                       intern_type*, intern_type*&) const = 0;
  virtual int do_encoding() const throw() = 0;
  virtual bool do_always_noconv() const throw() = 0;
  virtual int do_length(state_type&, const extern_type*, const extern_type*, size_t) const = 0;
  virtual int do_max_length() const throw() = 0;
};

// What is not `char` to `char` is declared and not there: the program that calls it is told so.
template <typename _InternT, typename _ExternT, typename _StateT>
class codecvt : public __codecvt_abstract_base<_InternT, _ExternT, _StateT> {
 public:
  typedef codecvt_base::result result;
  typedef _InternT intern_type;
  typedef _ExternT extern_type;
  typedef _StateT state_type;
  static locale::id id;
  explicit codecvt(size_t __refs = 0) : __codecvt_abstract_base<_InternT, _ExternT, _StateT>(__refs) {}

 protected:
  virtual ~codecvt() {}
  virtual result do_out(state_type&, const intern_type*, const intern_type*, const intern_type*&, extern_type*,
                        extern_type*, extern_type*&) const;
  virtual result do_unshift(state_type&, extern_type*, extern_type*, extern_type*&) const;
  virtual result do_in(state_type&, const extern_type*, const extern_type*, const extern_type*&, intern_type*,
                       intern_type*, intern_type*&) const;
  virtual int do_encoding() const throw();
  virtual bool do_always_noconv() const throw();
  virtual int do_length(state_type&, const extern_type*, const extern_type*, size_t) const;
  virtual int do_max_length() const throw();
};

template <>
class codecvt<char, char, mbstate_t> : public __codecvt_abstract_base<char, char, mbstate_t> {
 public:
  typedef char intern_type;
  typedef char extern_type;
  typedef mbstate_t state_type;
  explicit codecvt(size_t __refs = 0) : __codecvt_abstract_base<char, char, mbstate_t>(__refs) {}

 protected:
  virtual ~codecvt() {}
  result do_out(mbstate_t&, const char* __from, const char*, const char*& __next, char* __to, char*,
                char*& __to_next) const override {
    __next = __from;
    __to_next = __to;
    return noconv;
  }
  result do_unshift(mbstate_t&, char* __to, char*, char*& __to_next) const override {
    __to_next = __to;
    return noconv;
  }
  result do_in(mbstate_t&, const char* __from, const char*, const char*& __next, char* __to, char*,
               char*& __to_next) const override {
    __next = __from;
    __to_next = __to;
    return noconv;
  }
  int do_encoding() const throw() override { return 1; }
  bool do_always_noconv() const throw() override { return true; }
  int do_length(mbstate_t&, const char* __from, const char* __end, size_t __max) const override {
    const size_t __all = __end - __from;
    return static_cast<int>(__all < __max ? __all : __max);
  }
  int do_max_length() const throw() override { return 1; }
};

// Bases of those that <codecvt> has.
#define __CUDAIR_CODECVT_BASE(__char)                                                                 \
  template <>                                                                                         \
  class codecvt<__char, char, mbstate_t> : public __codecvt_abstract_base<__char, char, mbstate_t> {  \
   public:                                                                                            \
    explicit codecvt(size_t __refs = 0) : __codecvt_abstract_base<__char, char, mbstate_t>(__refs) {} \
                                                                                                      \
   protected:                                                                                         \
    virtual ~codecvt() {}                                                                             \
  };
__CUDAIR_CODECVT_BASE(wchar_t)
__CUDAIR_CODECVT_BASE(char16_t)
__CUDAIR_CODECVT_BASE(char32_t)
#undef __CUDAIR_CODECVT_BASE

template <typename _InternT, typename _ExternT, typename _StateT>
class codecvt_byname : public codecvt<_InternT, _ExternT, _StateT> {
 public:
  explicit codecvt_byname(const char*, size_t __refs = 0) : codecvt<_InternT, _ExternT, _StateT>(__refs) {}
  explicit codecvt_byname(const string&, size_t __refs = 0) : codecvt<_InternT, _ExternT, _StateT>(__refs) {}

 protected:
  virtual ~codecvt_byname() {}
};

_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
