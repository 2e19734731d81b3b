// SPDX-License-Identifier: BSD-3-Clause
#include "core/spectral/smooth_length.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

namespace {

bool is_smooth(int n) {
  for (int prime : {2, 3, 5, 7})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

}  // namespace

int even_smooth_at_least(double least) {
  int n = std::max(2, static_cast<int>(std::ceil(least)));
  n += n % 2;
  while (!is_smooth(n)) n += 2;
  return n;
}

}  // namespace nearfar
