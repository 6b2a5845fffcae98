// std::complex: arithmetic, functions, formatting, a Fourier transform.
#include <cmath>
#include <complex>
#include <iomanip>
#include <iostream>
#include <vector>

using Complex = std::complex<double>;
void fft(std::vector<Complex>& a, bool inverse)
{
    size_t n = a.size();
    if (n == 1) return;
    std::vector<Complex> even(n / 2), odd(n / 2);
    for (size_t i = 0; i < n / 2; i++) even[i] = a[2 * i], odd[i] = a[2 * i + 1];
    fft(even, inverse);
    fft(odd, inverse);
    for (size_t k = 0; k < n / 2; k++) {
        Complex t = std::polar(1.0, (inverse ? 2 : -2) * std::acos(-1.0) * k / n) * odd[k];
        a[k] = even[k] + t;
        a[k + n / 2] = even[k] - t;
    }
}

int main()
{
    Complex z(3, 4), y = {1, -1}, w = 2.5;
    std::cout << z << z + y << z - y << z * y << z / y << -z << w << z * 2.0 << 1.0 / y << z + 1.0 << '\n';
    std::cout << std::abs(z) << ' ' << std::norm(z) << ' ' << std::arg(y) << ' ' << std::conj(z) << z.real() << z.imag() << std::polar(2.0, 0.5) << (z == y) << (z != y) << '\n';
    z += y;
    z *= Complex(0, 1);
    z -= 1;
    z /= 2;
    z.real(7);
    std::cout << z << std::exp(Complex(0, 1)) << std::sqrt(Complex(-4, 0)) << std::pow(y, 2) << std::log(y) << std::sin(y) << '\n';
    std::complex<float> f(1.5f, 2);
    std::cout << f * f << std::abs(f) << ' ' << std::real(f) << '\n';
    std::vector<Complex> signal;
    for (int i = 0; i < 8; i++) signal.emplace_back(std::sin(i), i % 3);
    fft(signal, false);
    for (auto& c : signal) std::cout << std::fixed << std::setprecision(4) << c << ' ';
    fft(signal, true);
    std::cout << '\n' << signal[3] / 8.0 << std::endl;
}
