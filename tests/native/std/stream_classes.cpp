// Classes derived from the library's streams, and how these derive from each other.
#include <iostream>
#include <fstream>
#include <sstream>
#include <cstdio>
struct Io : std::iostream { std::stringbuf b; Io() : std::iostream(nullptr) { init(&b); } };
struct Named : std::ofstream { std::string n; Named(const std::string& n) : std::ofstream(n), n(n) {} ~Named() { if (is_open()) { close(); } std::remove(n.c_str()); } };
struct Parts : std::ostringstream { template <class T> Parts& operator+(const T& t) { *this << t; return *this; } operator std::string() const { return str(); } };
template <class S> auto kind(S&, int) -> decltype(std::declval<S&>() >> std::declval<int&>(), 1) { return 1; }
template <class S> int kind(S&, long) { return 0; }
struct Multi : std::istream, std::ostream { std::stringbuf b; Multi() : std::ios(nullptr), std::istream(&b), std::ostream(&b) {} };
int main() {
  Io io; io << "12 abc"; int n; std::string s; io >> n >> s; std::cout << n << s << '\n';
  { Named f("stream_classes.tmp"); f << "q" << 1 << std::endl; std::ifstream in("stream_classes.tmp"); std::string l; std::getline(in, l); std::cout << l << '\n'; }
  std::string p = Parts() + 1 + "," + 2.5; std::cout << p << '\n';
  std::ofstream o; std::cout << std::is_base_of<std::ostream, std::ifstream>::value << std::is_base_of<std::ios, std::ifstream>::value << std::is_convertible<std::ifstream*, std::ostream*>::value << '\n';
  Multi m; std::ios& i = m; m << 77; int k = 0; m >> k; std::cout << k << i.good() << '\n';
  std::istream& in = m; std::cout << (dynamic_cast<std::ostream*>(&in) == static_cast<std::ostream*>(&m)) << (dynamic_cast<std::iostream*>(&in) == nullptr) << '\n';
  std::cout << (dynamic_cast<std::ostream*>(&std::cin) == nullptr) << '\n';
}
