// cuda::std on the device: types, limits, arrays, tuples, pairs, functions of <cmath>.
// std: c++17
#include <cuda/std/array>
#include <cuda/std/cmath>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cstdio>

template <typename T> __device__ const char* kind() {
    if constexpr (cuda::std::is_floating_point<T>::value)
        return "floating";
    else if constexpr (cuda::std::is_same_v<T, cuda::std::int32_t>)
        return "int32";
    else
        return "other";
}

__global__ void kernel(cuda::std::array<int, 4> a) {
    cuda::std::pair<int, float> p(1, 2.5f);
    cuda::std::tuple<int, double> t(3, 4.5);
    printf("%s %s %s\n", kind<float>(), kind<int>(), kind<char>());
    printf("%d %g %d %g\n", p.first, p.second, cuda::std::get<0>(t), cuda::std::get<1>(t));
    printf("%d %d %g %d\n", a[2], (int)a.size(), cuda::std::numeric_limits<float>::max(),
           cuda::std::numeric_limits<int>::lowest());
    printf("%g %g\n", cuda::std::sqrt(16.0), cuda::std::abs(-2.5f));
}

int main() {
    kernel<<<1, 1>>>(cuda::std::array<int, 4>{1, 2, 3, 4});
    cudaDeviceSynchronize();
    return 0;
}
