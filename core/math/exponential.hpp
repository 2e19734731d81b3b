// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cmath>
#include <type_traits>

namespace nearfar {

/// e^x of a scalar or a SIMD batch, without an inline function of the standard library (simd_batch.hpp).
template <class V>
NEARFAR_FUNCTION V exponential(V x) {
#if defined(__CUDA_ARCH__) || defined(__HIP_DEVICE_COMPILE__)
  return exp(x);
#else
  if constexpr (std::is_same_v<V, float>) return __builtin_expf(x);
  else if constexpr (std::is_same_v<V, double>) return __builtin_exp(x);
  else if constexpr (std::is_same_v<V, long double>) return __builtin_expl(x);
  else return exp(x);
#endif
}

}  // namespace nearfar
