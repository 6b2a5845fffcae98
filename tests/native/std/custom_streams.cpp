// Streams and buffers of the program's own.
#include <iostream>
#include <sstream>
#include <streambuf>
#include <ostream>
#include <istream>
#include <string>
#include <vector>
#include <iomanip>
class LogBuf : public std::streambuf {
  std::string line; std::string prefix; std::vector<std::string>& out;
public:
  LogBuf(std::string p, std::vector<std::string>& o) : prefix(std::move(p)), out(o) {}
  ~LogBuf() override { sync(); }
protected:
  int overflow(int c) override { if (c == '\n') flushLine(); else if (c != EOF) line += char(c); return c; }
  std::streamsize xsputn(const char* s, std::streamsize n) override { for (std::streamsize i = 0; i < n; ++i) overflow((unsigned char)s[i]); return n; }
  int sync() override { if (!line.empty()) flushLine(); return 0; }
  void flushLine() { out.push_back(prefix + line); line.clear(); }
};
class LogStream : public std::ostream {
  LogBuf buf;
public:
  LogStream(std::string p, std::vector<std::string>& o) : std::ostream(nullptr), buf(std::move(p), o) { rdbuf(&buf); }
};
class Base { public: LogBuf b; Base(std::vector<std::string>& o) : b("B:", o) {} };
class LogStream2 : private Base, public std::ostream { public: LogStream2(std::vector<std::string>& o) : Base(o), std::ios(nullptr), std::ostream(&b) {} };
class CountBuf : public std::streambuf { int n = 0; char c = 0; protected: int underflow() override { if (n >= 20) return EOF; c = n % 3 == 2 ? ' ' : char('0' + n % 10); ++n; setg(&c, &c, &c + 1); return (unsigned char)c; } };
class CountStream : public std::istream { CountBuf b; public: CountStream() : std::istream(nullptr) { rdbuf(&b); } };
class Tee : public std::streambuf { std::streambuf *a, *b; public: Tee(std::streambuf* a, std::streambuf* b) : a(a), b(b) {} protected: int overflow(int c) override { if (c == EOF) return !EOF; return a->sputc(c) == EOF || b->sputc(c) == EOF ? EOF : c; } int sync() override { return a->pubsync() | b->pubsync(); } };
struct NullBuf : std::streambuf { int overflow(int c) override { return c; } };
void put(std::ostream& o) { o << std::setw(6) << 42 << '|' << std::hex << 255 << std::dec << "|" << 1.5 << std::endl; }
int main() {
  std::vector<std::string> lines;
  { LogStream log("[a] ", lines); log << "hello " << 5 << '\n' << "x=" << 2.25 << std::endl; put(log); std::ostream& o = log; o << "rest"; }
  { LogStream2 l(lines); l << "two" << std::endl; }
  for (auto& l : lines) std::cout << l << '\n';
  CountStream cs; int v; while (cs >> v) std::cout << v << ','; std::cout << cs.eof() << cs.fail() << '\n';
  std::ostringstream a, b; Tee t(a.rdbuf(), b.rdbuf()); std::ostream to(&t); put(to); to << "tee"; std::cout << a.str() << b.str() << '\n';
  auto* old = std::cout.rdbuf(a.rdbuf()); std::cout << "captured"; std::cout.rdbuf(old); std::cout << a.str() << '\n';
  NullBuf nb; std::ostream null(&nb); null << "nothing"; std::cout << null.good() << '\n';
  std::stringstream ss("1 2 3"); std::istream& is = ss; std::ostream& os = ss; int x, y; is >> x >> y; ss.clear(); os << "zz"; std::cout << x + y << ss.str() << '\n';
  std::ios& base = ss; base.setstate(std::ios::failbit); std::cout << !ss << '\n';
}
