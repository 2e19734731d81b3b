// SPDX-License-Identifier: BSD-3-Clause
#include "core/kernels/pairs/screened_functions.hpp"

#include "core/math/constants.hpp"

namespace nearfar {

long double scaled_erfc(long double x) {
  if (x < 2) return std::exp(x * x) * std::erfc(x);
  long double below = x;  // x + (1/2) / (x + (2/2) / (x + (3/2) / ...)), begun deep enough for full precision
  for (int k = 200; k > 0; --k) below = x + 0.5L * k / below;
  return 1 / (std::sqrt(pi<long double>) * below);
}

}  // namespace nearfar
