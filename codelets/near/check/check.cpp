// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/check/check.hpp"

#include "codelets/common/simd/simd.hpp"
#include "codelets/near/check/check_simd.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "core/math/power_of_two.hpp"

namespace nearfar {

template <class T, class K>
void Check<T, K>::portable(Buffers const& buffers, Args const& args) {
  check_sums<double, 1, K>(CheckBuffers<T>(buffers), args);
}

template <class T, class K>
void Check<T, K>::tuned(Buffers const& buffers, Args const& args) {
  CheckBuffers<T> const b(buffers);
  simd_dispatch([&](auto tag) { check_simd<decltype(tag), T, K>(b, args); });
}

template <class T>
void CheckSum<T>::portable(Buffers const& b, Args const& args) {
  auto const* const units = b.get<StrengthUnit const>(2);
  std::int64_t const stride = b.size<double>(3) / args.components;
  for (int m = 0; m < args.components; ++m) {
    int const numbers = args.results.numbers;
    PowerOfTwo<double> const scale(units[m / numbers].result[args.results.group[m % numbers]]);
    for (std::int64_t i = 0; i < stride; ++i) {
      double sum = 0;
      for (int k = 0; k < b.count(0); ++k) sum += b.get<double const>(0, k)[m * stride + i];
      for (int k = 0; k < b.count(1); ++k) sum += double(b.get<T const>(1, k)[m * stride + i]);
      b.get<double>(3)[m * stride + i] = scale(sum);
    }
  }
}

#define NEARFAR_INSTANTIATE(T, K) template struct Check<T, K>;
NEARFAR_EACH_MULTIPOLE_KERNEL(NEARFAR_INSTANTIATE)
template struct CheckSum<double>;
template struct CheckSum<float>;

}  // namespace nearfar
