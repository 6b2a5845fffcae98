// Streams of the C library as stream buffers.
#ifndef __CUDAIR_STDIO
#define __CUDAIR_STDIO 1
#pragma GCC system_header

#include <streambuf>
#include <cstdio>
#include <cwchar>

namespace std _GLIBCXX_VISIBILITY(default) {
_GLIBCXX_BEGIN_NAMESPACE_VERSION

inline int __cudair_getc(char, FILE* __file) { return getc(__file); }
inline int __cudair_ungetc(char, int __c, FILE* __file) { return ungetc(__c, __file); }
inline int __cudair_putc(char __c, FILE* __file) { return putc(static_cast<unsigned char>(__c), __file); }
inline size_t __cudair_write(const char* __s, size_t __n, FILE* __file) { return fwrite(__s, 1, __n, __file); }
inline wint_t __cudair_getc(wchar_t, FILE* __file) { return getwc(__file); }
inline wint_t __cudair_ungetc(wchar_t, wint_t __c, FILE* __file) { return ungetwc(__c, __file); }
inline wint_t __cudair_putc(wchar_t __c, FILE* __file) { return putwc(__c, __file); }
inline size_t __cudair_write(const wchar_t* __s, size_t __n, FILE* __file) {
  size_t __done = 0;
  while (__done < __n && putwc(__s[__done], __file) != WEOF) ++__done;
  return __done;
}

template <typename _CharT, typename _Traits = char_traits<_CharT>>
class __cudair_stdio_buf : public basic_streambuf<_CharT, _Traits> {
  typedef typename _Traits::int_type int_type;
  FILE* _M_file;
  int_type _M_last = _Traits::eof();

 public:
  explicit __cudair_stdio_buf(FILE* __file) : _M_file(__file) {}

 protected:
  int_type overflow(int_type __c = _Traits::eof()) override {
    if (_Traits::eq_int_type(__c, _Traits::eof())) return fflush(_M_file) ? _Traits::eof() : _Traits::not_eof(__c);
    return __cudair_putc(_Traits::to_char_type(__c), _M_file);
  }
  streamsize xsputn(const _CharT* __s, streamsize __n) override { return __cudair_write(__s, __n, _M_file); }
  int sync() override { return fflush(_M_file); }
  int_type underflow() override {
    const int_type __c = __cudair_getc(_CharT(), _M_file);
    return _Traits::eq_int_type(__c, _Traits::eof()) ? __c : __cudair_ungetc(_CharT(), __c, _M_file);
  }
  int_type uflow() override { return _M_last = __cudair_getc(_CharT(), _M_file); }
  int_type pbackfail(int_type __c = _Traits::eof()) override {
    const int_type __back = _Traits::eq_int_type(__c, _Traits::eof()) ? _M_last : __c;
    _M_last = _Traits::eof();
    if (_Traits::eq_int_type(__back, _Traits::eof())) return __back;
    return __cudair_ungetc(_CharT(), __back, _M_file);
  }
};

_GLIBCXX_END_NAMESPACE_VERSION
}
#endif
