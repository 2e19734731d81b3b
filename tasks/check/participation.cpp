// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check/participation.hpp"

#include "core/kernels/description/description.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace nearfar::detail {

namespace {

template <class T>
double largest_of(T const* numbers, int count) {
  T largest = std::abs(numbers[0]);
  for (int i = 1; i < count; ++i) largest = std::max(largest, std::abs(numbers[i]));
  return double(largest);
}

/// Sums over sources in partial sums, which need not wait for one another.
struct Sums {
  static constexpr std::size_t lanes = 8;
  double sum[lanes] = {}, square[lanes] = {}, largest[lanes] = {};

  template <class Magnitude>
  Sums(std::size_t first, std::size_t last, Magnitude const& magnitude) {
    std::size_t i = first;
    for (; i + lanes <= last; i += lanes)
      for (std::size_t k = 0; k < lanes; ++k) add(k, magnitude(i + k));
    for (; i < last; ++i) add(0, magnitude(i));
  }
  void add(std::size_t lane, double size) {
    sum[lane] += size;
    square[lane] += size * size;
    largest[lane] = size > largest[lane] ? size : largest[lane];
  }
  /// Whether squares of the numbers that matter are neither too large nor too small for a double.
  bool are_safe() const {
    double const most = *std::max_element(largest, largest + lanes);
    return most == 0 || (most > 1e-140 && most < 1e140);
  }
};

/// The sum of the magnitudes of sources first .. last - 1, and that of their squares.
template <class Magnitude>
std::array<long double, 2> sums_of(std::size_t first, std::size_t last, Magnitude const& magnitude) {
  long double sum = 0, squares = 0;
  if (Sums const parts(first, last, magnitude); parts.are_safe()) {
    for (std::size_t k = 0; k < Sums::lanes; ++k) {
      sum += parts.sum[k];
      squares += parts.square[k];
    }
  } else {
    for (std::size_t i = first; i < last; ++i) {
      long double const size = magnitude(i);
      sum += size;
      squares += size * size;
    }
  }
  return {sum, squares};
}

/// The same of one vector of strengths. Of several layers, the one that falls fastest counts.
template <class T>
std::array<long double, 2> sums_of(KernelDescription const& kernel, std::span<T const> rows, int vectors, int vector,
                                   std::size_t first, std::size_t last) {
  std::ptrdiff_t const row = std::ptrdiff_t(kernel.strengths) * vectors;
  Layer const& layer = kernel.layers.back();
  std::ptrdiff_t begin = vector * kernel.strengths;
  for (int f = 0; f < layer.first; ++f) begin += kernel.strength_fields[std::size_t(f)].size();
  auto const of = [=](std::size_t i) { return rows.data() + begin + std::ptrdiff_t(i) * row; };
  int const size = kernel.strength_fields[std::size_t(layer.first)].size();
  if (layer.fields == 2)
    return sums_of(first, last,
                   [&](std::size_t i) { return largest_of(of(i), size) * largest_of(of(i) + size, size); });
  if (size == 1) return sums_of(first, last, [&](std::size_t i) { return double(std::abs(*of(i))); });
  return sums_of(first, last, [&](std::size_t i) { return largest_of(of(i), size); });
}

}  // namespace

template <class T>
std::vector<long double> strength_sums(Kernel kernel, std::span<T const> rows, int vectors, Loop const& loop) {
  std::size_t const sources = rows.size() / (std::size_t(strength_components(kernel)) * std::size_t(vectors)),
                    parts = parts_for(sources);
  std::vector<std::array<long double, 2>> of_part(parts * std::size_t(vectors));
  in_parts(loop, sources, parts, [&](std::size_t part, std::size_t first, std::size_t last) {
    for (int c = 0; c < vectors; ++c)
      of_part[part * std::size_t(vectors) + std::size_t(c)] = sums_of(describe(kernel), rows, vectors, c, first, last);
  });
  std::vector<long double> sums(2 * std::size_t(vectors));
  for (std::size_t i = 0; i < of_part.size(); ++i)
    for (std::size_t k = 0; k < 2; ++k) sums[2 * (i % std::size_t(vectors)) + k] += of_part[i][k];
  return sums;
}

double participation_number(std::span<long double const> sums) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < sums.size(); c += 2)
    if (sums[c] > 0) least = std::min(least, double(sums[c] / sums[c + 1] * sums[c]));
  return least;
}

template std::vector<long double> strength_sums(Kernel, std::span<double const>, int, Loop const&);
template std::vector<long double> strength_sums(Kernel, std::span<float const>, int, Loop const&);

}  // namespace nearfar::detail
