// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/peak/peak_simd.hpp"

#include "codelets/common/simd/simd_batch.hpp"

namespace nearfar {

template <class Tag, class T>
std::int64_t multiply_adds(std::int64_t rounds, T* sum) {
  using V = Batch<T, Tag>;
  constexpr int chains = 12;  // two units with a latency of four or five, and registers for all of them
  V const factor(T(0.5)), summand(*sum);
  V chain[chains];
  for (int i = 0; i < chains; ++i) chain[i] = V(T(i));
  for (std::int64_t r = 0; r < rounds; ++r)
    for (int i = 0; i < chains; ++i) chain[i] = xsimd::fma(chain[i], factor, summand);
  V total(T(0));
  for (int i = 0; i < chains; ++i) total = total + chain[i];
  *sum = xsimd::hadd(total);
  return 2 * rounds * chains * std::int64_t(V::size);
}

template std::int64_t multiply_adds<NEARFAR_SIMD_TAG, double>(std::int64_t, double*);
template std::int64_t multiply_adds<NEARFAR_SIMD_TAG, float>(std::int64_t, float*);

}  // namespace nearfar
