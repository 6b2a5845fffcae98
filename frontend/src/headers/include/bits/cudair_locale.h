// Locales: there is one, "C", whatever the name that a program asks for.
#ifndef __CUDAIR_LOCALE
#define __CUDAIR_LOCALE 1
#pragma GCC system_header

#include <bits/localefwd.h>
#include <cctype>
#include <cwctype>
#include <string>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

class locale {
 public:
  typedef int category;
  static const category none = 0, ctype = 1, numeric = 2, collate = 4, time = 8, monetary = 16, messages = 32,
                        all = 63;
  class facet {
   protected:
    explicit facet(size_t = 0) noexcept {}
    virtual ~facet() {}
  };
  class id {
   public:
    id() noexcept {}
  };
  locale() noexcept {}
  explicit locale(const char*) {}
  explicit locale(const string&) {}
  locale(const locale&, const char*, category) {}
  locale(const locale&, const locale&, category) {}
  locale(const locale&) noexcept = default;
  locale& operator=(const locale&) noexcept = default;
  ~locale() noexcept {}
  string name() const { return "C"; }
  bool operator==(const locale&) const noexcept { return true; }
  bool operator!=(const locale&) const noexcept { return false; }
  template <typename _CharT, typename _Traits, typename _Alloc>
  bool operator()(const basic_string<_CharT, _Traits, _Alloc>& __a,
                  const basic_string<_CharT, _Traits, _Alloc>& __b) const {
    return __a < __b;
  }
  static locale global(const locale&) { return locale(); }
  static const locale& classic() {
    static const locale __classic;
    return __classic;
  }
};

struct ctype_base {
  typedef unsigned short mask;
  static const mask upper = 1, lower = 2, alpha = 4, digit = 8, xdigit = 16, space = 32, print = 64, graph = 76 | 256,
                    cntrl = 512, punct = 256, alnum = 12, blank = 1024;
};

#define __CUDAIR_CTYPE(__char, __is, __to)                                                                          \
  template <>                                                                                                       \
  class ctype<__char> : public locale::facet, public ctype_base {                                                   \
   public:                                                                                                          \
    typedef __char char_type;                                                                                       \
    ctype() {}                                                                                                      \
    ~ctype() {}                                                                                                     \
    bool is(mask __m, __char __c) const {                                                                           \
      return ((__m & upper) && __is##upper(_S_int(__c))) || ((__m & lower) && __is##lower(_S_int(__c))) ||          \
             ((__m & alpha) && __is##alpha(_S_int(__c))) || ((__m & digit) && __is##digit(_S_int(__c))) ||          \
             ((__m & xdigit) && __is##xdigit(_S_int(__c))) || ((__m & space) && __is##space(_S_int(__c))) ||        \
             ((__m & print) && __is##print(_S_int(__c))) || ((__m & cntrl) && __is##cntrl(_S_int(__c))) ||          \
             ((__m & punct) && __is##punct(_S_int(__c))) || ((__m & blank) && __is##blank(_S_int(__c)));            \
    }                                                                                                               \
    __char toupper(__char __c) const { return static_cast<__char>(__to##upper(_S_int(__c))); }                      \
    __char tolower(__char __c) const { return static_cast<__char>(__to##lower(_S_int(__c))); }                      \
    const __char* toupper(__char* __from, const __char* __to_end) const {                                           \
      for (; __from < __to_end; ++__from) *__from = toupper(*__from);                                               \
      return __to_end;                                                                                              \
    }                                                                                                               \
    const __char* tolower(__char* __from, const __char* __to_end) const {                                           \
      for (; __from < __to_end; ++__from) *__from = tolower(*__from);                                               \
      return __to_end;                                                                                              \
    }                                                                                                               \
    const char* widen(const char* __from, const char* __end, __char* __out) const {                                 \
      for (; __from < __end; ++__from, ++__out) *__out = widen(*__from);                                            \
      return __end;                                                                                                 \
    }                                                                                                               \
    const __char* narrow(const __char* __from, const __char* __end, char __default, char* __out) const {            \
      for (; __from < __end; ++__from, ++__out) *__out = narrow(*__from, __default);                                \
      return __end;                                                                                                 \
    }                                                                                                               \
    __char widen(char __c) const { return static_cast<unsigned char>(__c); }                                        \
    char narrow(__char __c, char __default) const {                                                                 \
      return sizeof(__char) == 1 || (__c >= 0 && __c < 128) ? static_cast<char>(__c) : __default;                   \
    }                                                                                                               \
                                                                                                                    \
   private:                                                                                                         \
    static int _S_int(__char __c) { return sizeof(__char) == 1 ? static_cast<unsigned char>(__c) : int(__c); }      \
  };                                                                                                                \
  template <>                                                                                                       \
  inline const ctype<__char>& use_facet<ctype<__char>>(const locale&) {                                             \
    static const ctype<__char> __facet;                                                                             \
    return __facet;                                                                                                 \
  }                                                                                                                 \
  template <>                                                                                                       \
  inline const ctype<__char>& use_facet<const ctype<__char>>(const locale& __locale) {                              \
    return use_facet<ctype<__char>>(__locale);                                                                      \
  }                                                                                                                 \
  template <>                                                                                                       \
  inline bool has_facet<ctype<__char>>(const locale&) throw() {                                                     \
    return true;                                                                                                    \
  }
__CUDAIR_CTYPE(char, std::is, std::to)
__CUDAIR_CTYPE(wchar_t, std::isw, std::tow)
#undef __CUDAIR_CTYPE

_GLIBCXX_BEGIN_NAMESPACE_CXX11
template <typename _CharT>
class collate : public locale::facet {
 public:
  typedef _CharT char_type;
  typedef basic_string<_CharT> string_type;
  int compare(const _CharT* __a, const _CharT* __a_end, const _CharT* __b, const _CharT* __b_end) const {
    const int __result = string_type(__a, __a_end).compare(string_type(__b, __b_end));
    return __result < 0 ? -1 : __result > 0;
  }
  string_type transform(const _CharT* __from, const _CharT* __to) const { return string_type(__from, __to); }
};
_GLIBCXX_END_NAMESPACE_CXX11
template <>
inline const collate<char>& use_facet<collate<char>>(const locale&) {
  static const collate<char> __facet;
  return __facet;
}

#define __CUDAIR_CLASSIFY(__name)                                      \
  template <typename _CharT>                                           \
  inline bool is##__name(_CharT __c, const locale& __locale) {         \
    return use_facet<ctype<_CharT>>(__locale).is(ctype_base::__name, __c); \
  }
__CUDAIR_CLASSIFY(space)
__CUDAIR_CLASSIFY(print)
__CUDAIR_CLASSIFY(cntrl)
__CUDAIR_CLASSIFY(upper)
__CUDAIR_CLASSIFY(lower)
__CUDAIR_CLASSIFY(alpha)
__CUDAIR_CLASSIFY(digit)
__CUDAIR_CLASSIFY(punct)
__CUDAIR_CLASSIFY(xdigit)
__CUDAIR_CLASSIFY(alnum)
__CUDAIR_CLASSIFY(graph)
__CUDAIR_CLASSIFY(blank)
#undef __CUDAIR_CLASSIFY
template <typename _CharT>
inline _CharT toupper(_CharT __c, const locale& __locale) {
  return use_facet<ctype<_CharT>>(__locale).toupper(__c);
}
template <typename _CharT>
inline _CharT tolower(_CharT __c, const locale& __locale) {
  return use_facet<ctype<_CharT>>(__locale).tolower(__c);
}

_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
