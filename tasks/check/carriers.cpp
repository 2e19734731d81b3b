// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check/carriers.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearfar::detail {

namespace {

using Real = long double;  // its range is that of squares

template <class T>
Real square_of(T const* numbers, int count) {
  Real sum = 0;
  for (int i = 0; i < count; ++i) sum += Real(numbers[i]) * Real(numbers[i]);
  return sum;
}

}  // namespace

template <class T>
std::vector<long double> strength_sums(Kernel kernel, std::span<T const> rows, int vectors) {
  int const numbers = strength_components(kernel);
  bool const double_layer = kernel == Kernel::stresslet || kernel == Kernel::stokes;
  std::vector<Real> sums(std::size_t(2 * vectors));
  for (std::size_t i = 0; i + std::size_t(numbers * vectors) <= rows.size(); i += std::size_t(numbers * vectors))
    for (int c = 0; c < vectors; ++c) {
      T const* const f = &rows[i] + c * numbers;
      Real const square =
          double_layer ? square_of(f + numbers - 6, 3) * square_of(f + numbers - 3, 3) : square_of(f, numbers);
      if (square == 0) continue;
      sums[std::size_t(2 * c)] += std::sqrt(square);
      sums[std::size_t(2 * c + 1)] += square;
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
