// allocation operators, placement, arrays with throwing constructors
#include <cstdio>
#include <cstdlib>
#include <new>
#include <memory>
#include <stdexcept>
#include <cstdint>
struct P { int v; static int live; P(int v = 0) : v(v) { ++live; } ~P() { --live; std::printf("~P%d ", v); }
  static void* operator new(std::size_t n) { std::printf("new(%zu) ", n); return std::malloc(n); }
  static void operator delete(void* p, std::size_t n) { std::printf("del(%zu)\n", n); std::free(p); }
  static void* operator new[](std::size_t n) { std::printf("new[](%zu) ", n); return std::malloc(n); }
  static void operator delete[](void* p, std::size_t n) { std::printf("del[](%zu)\n", n); std::free(p); }
  static void* operator new(std::size_t n, const char* tag) { std::printf("new(%zu,%s) ", n, tag); return std::malloc(n); }
  static void operator delete(void* p, const char* tag) { std::printf("del(%s)\n", tag); std::free(p); }
  static void* operator new(std::size_t, void* p) { return p; } };
int P::live;
struct Q : P { char pad[20]; Q(bool t) : P(2) { if (t) throw std::runtime_error("Q"); } static void* operator new(std::size_t n, const char* tag) { return P::operator new(n, tag); } static void operator delete(void* p, const char* tag) { P::operator delete(p, tag); } static void operator delete(void* p) { std::printf("Qdel\n"); std::free(p); } };
struct VB { virtual ~VB() { std::printf("~VB "); } static void operator delete(void* p, std::size_t n) { std::printf("VBdel(%zu)\n", n); ::operator delete(p); } };
struct VD : VB { double d[4]; ~VD() override { std::printf("~VD "); } };
struct VE : VD { static void* operator new(std::size_t n) { std::printf("VEnew(%zu) ", n); return ::operator new(n); } static void operator delete(void* p) { std::printf("VEdel\n"); ::operator delete(p); } };
struct alignas(64) Al { char c[70]; Al() { std::printf("al%d ", int(reinterpret_cast<std::uintptr_t>(this) % 64)); } };
struct AlN { static void* operator new(std::size_t n, std::align_val_t a) { std::printf("anew(%zu,%zu) ", n, std::size_t(a)); return std::aligned_alloc(std::size_t(a), n); } static void operator delete(void* p, std::align_val_t a) { std::printf("adel(%zu)\n", std::size_t(a)); std::free(p); } alignas(32) int x = 4; };
struct Thr { static int n; int k; Thr() : k(n++) { if (k == 3) throw k; std::printf("t%d ", k); } ~Thr() { std::printf("~t%d ", k); } };
int Thr::n;
struct Mat { Thr a[2][3]; };
struct NoThrow { static void* operator new(std::size_t, const std::nothrow_t&) noexcept { std::printf("null "); return nullptr; } NoThrow() { std::printf("never "); } };
int main() {
  P* p = new P(1); delete p; P* a = new P[3]; a[1].v = 7; delete[] a; P* t = new ("tag") P(4); delete t;
  try { new ("thrown") Q(true); } catch (std::exception& e) { std::printf("%s\n", e.what()); }
  Q* q = new ("ok") Q(false); delete q;
  VB* v = new VD; delete v; v = new VE; delete v; VD* d = new VE; delete d;
  Al* al = new Al; delete al; Al* as = new Al[2]; delete[] as; std::printf("\n"); auto u = std::make_unique<Al>(); std::printf("\n");
  AlN* n = new AlN; std::printf("%d ", n->x); delete n;
  try { new Thr[5]; } catch (int k) { std::printf("caught %d\n", k); } Thr::n = 0;
  try { Mat m; } catch (int k) { std::printf("caught %d\n", k); } Thr::n = 0;
  try { std::unique_ptr<Thr[]> x(new Thr[3]); Thr one; } catch (int k) { std::printf("caught %d\n", k); }
  std::printf("%d\n", new (std::nothrow) NoThrow == nullptr);
  alignas(P) unsigned char buf[sizeof(P) * 2]; P* pl = ::new (buf) P(8); P* pl2 = new (buf + sizeof(P)) P(9); pl2->~P(); pl->~P(); std::printf("\n");
  try { volatile long huge = -1; new int[huge]; } catch (std::bad_array_new_length& e) { std::printf("bad_array_new_length\n"); } catch (std::bad_alloc&) { std::printf("bad_alloc\n"); }
  int* z = new int[4](); int* w = new int[3]{1, 2}; std::printf("%d%d%d\n", z[3], w[1], w[2]); delete[] z; delete[] w;
  auto* arr2 = new int[2][3]{{1, 2, 3}, {4}}; std::printf("%d %d\n", arr2[0][2], arr2[1][1]); delete[] arr2;
  auto s = new auto(3.5); std::printf("%g %d\n", *s, P::live); delete s;
  void* raw = ::operator new(100, std::align_val_t(128)); std::printf("%d\n", int((std::uintptr_t)raw % 128)); ::operator delete(raw, std::align_val_t(128));
}
