// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check/carriers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearfar::detail {

namespace {

using Real = long double;  // long double has room for squares of doubles

template <class T>
Real largest_of(T const* numbers, int count) {
  T largest = std::abs(numbers[0]);
  for (int i = 1; i < count; ++i) largest = std::max(largest, std::abs(numbers[i]));
  return Real(largest);
}

}  // namespace

template <class T>
std::vector<long double> strength_sums(Kernel kernel, std::span<T const> rows, int vectors) {
  int const numbers = strength_components(kernel);
  bool const double_layer = kernel == Kernel::stresslet || kernel == Kernel::stokes;
  std::size_t const row = std::size_t(numbers) * std::size_t(vectors);
  std::vector<Real> sums;
  for (int c = 0; c < vectors; ++c) {
    Real sum = 0, squares = 0;
    for (std::size_t i = 0; i + row <= rows.size(); i += row) {
      T const* const f = &rows[i] + c * numbers;
      Real const size =
          double_layer ? largest_of(f + numbers - 6, 3) * largest_of(f + numbers - 3, 3) : largest_of(f, numbers);
      sum += size;
      squares += size * size;
    }
    sums.insert(sums.end(), {sum, squares});
  }
  return sums;
}

double carriers(std::span<long double const> sums) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < sums.size(); c += 2)
    if (sums[c] > 0) least = std::min(least, double(sums[c] / sums[c + 1] * sums[c]));
  return least;
}

template std::vector<long double> strength_sums(Kernel, std::span<double const>, int);
template std::vector<long double> strength_sums(Kernel, std::span<float const>, int);

}  // namespace nearfar::detail
