// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/codelets/blocked_set.hpp"

#include <cstdint>
#include <random>

namespace nearfar::test {

/// Between -1 and 1.
template <class T>
AlignedVector<T> random_numbers(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  AlignedVector<T> numbers(static_cast<std::size_t>(count));
  for (T& number : numbers) number = T(random() / 2147483648.0 - 1);
  return numbers;
}

}  // namespace nearfar::test
