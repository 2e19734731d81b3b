// SPDX-License-Identifier: BSD-3-Clause
#include "core/spectral/smooth_length.hpp"

#include "core/math/expects.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace nearfar {

namespace {

/// All of them, ascending: some 5,000.
std::vector<int> even_smooth_numbers() {
  std::vector<int> numbers{2};
  for (std::int64_t const prime : {2, 3, 5, 7})
    for (std::size_t i = 0; i < numbers.size(); ++i)
      if (std::int64_t const next = prime * numbers[i]; next <= std::numeric_limits<int>::max())
        numbers.push_back(int(next));
  std::ranges::sort(numbers);
  return numbers;
}

}  // namespace

int even_smooth_at_least(double least) {
  static std::vector<int> const numbers = even_smooth_numbers();
  auto const found = std::ranges::lower_bound(numbers, least);
  EXPECTS(found != numbers.end(), least);
  return *found;
}

}  // namespace nearfar
