// Engines and distributions, on both sides; complex numbers; errors as exceptions.
// std: c++14
#include <thrust/complex.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/random.h>
#include <thrust/sequence.h>
#include <thrust/shuffle.h>
#include <thrust/sort.h>
#include <thrust/system_error.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include <cstdio>
#include <iostream>
#include <random>

struct InCircle {
    __host__ __device__ int operator()(unsigned id) const {
        thrust::default_random_engine rng;
        rng.discard(id * 64ull);
        thrust::uniform_real_distribution<float> u01(0, 1);
        int inside = 0;
        for (int i = 0; i < 32; i++) {
            const float x = u01(rng), y = u01(rng);
            inside += x * x + y * y <= 1.0f;
        }
        return inside;
    }
};

template <typename Engine> unsigned long long ten_thousandth(Engine e = Engine()) {
    for (int i = 0; i < 9999; i++) e();
    return e();
}

int main() {
    // As the C++ standard requires of its engines of these names, and L'Ecuyer of his.
    printf("%llu %llu %llu %llu %llu\n", ten_thousandth<thrust::minstd_rand0>(), ten_thousandth<thrust::minstd_rand>(), ten_thousandth<thrust::taus88>(),
           ten_thousandth<thrust::random::ranlux24_base>(), ten_thousandth<thrust::random::ranlux48_base>());
    thrust::minstd_rand far(7), near(7);
    far.discard(1000);
    for (int i = 0; i < 1000; i++) near();
    printf("%d\n", far == near);
    thrust::uniform_int_distribution<int> die(1, 6);
    int faces[7] = {};
    for (int i = 0; i < 6000; i++) faces[die(far)]++;
    int least = 6000;
    for (int i = 1; i <= 6; i++) least = faces[i] < least ? faces[i] : least;
    printf("%d\n", least > 900 && faces[0] == 0);
    const auto host = thrust::transform_reduce(thrust::host, thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(500), InCircle(), 0,
                                               thrust::plus<int>());
    const auto device = thrust::transform_reduce(thrust::device, thrust::counting_iterator<unsigned>(0), thrust::counting_iterator<unsigned>(500), InCircle(), 0,
                                                 thrust::plus<int>());
    printf("%d %d\n", host == device, host > 12400 && host < 12750);
    thrust::normal_distribution<float> bell(10.0f, 2.0f);
    double mean = 0;
    for (int i = 0; i < 2000; i++) mean += bell(near);
    printf("%d\n", mean / 2000 > 9.8 && mean / 2000 < 10.2);

    thrust::device_vector<int> d(1000);
    thrust::sequence(d.begin(), d.end());
    thrust::default_random_engine g(42);
    thrust::shuffle(d.begin(), d.end(), g);
    int moved = 0;
    for (int i = 0; i < 100; i++) moved += d[i] != i;
    thrust::sort(d.begin(), d.end());
    printf("%d %d %d\n", moved > 90, static_cast<int>(d[0]), static_cast<int>(d[999]));

    thrust::device_vector<thrust::complex<double>> z(3, thrust::complex<double>(3, 4));
    z[1] = thrust::complex<double>(0, 1);
    thrust::transform(z.begin(), z.end(), z.begin(), [] __device__(thrust::complex<double> w) { return w * w + conj(w) / 2.0 - 1; });
    const thrust::complex<double> first = z[0], second = z[1];
    std::cout << first << ' ' << second << ' ' << abs(thrust::complex<double>(3, 4)) << ' ' << sqrt(thrust::complex<double>(-4, 0)) << '\n';
    const thrust::complex<float> quotient = thrust::complex<float>(1, 2) / thrust::complex<float>(3, -4);
    printf("%.6f %.6f %.6f\n", quotient.real(), quotient.imag(), norm(quotient));

    try {
        throw thrust::system_error(cudaErrorInvalidValue, thrust::cuda_category(), "a call");
    } catch (const thrust::system_error& e) {
        printf("%s, %d\n", e.what(), e.code().value() == cudaErrorInvalidValue);
    }
    try {
        thrust::device_vector<char> much(1ull << 60);
    } catch (const std::bad_alloc&) {
        printf("no memory\n");
    }
    return 0;
}
