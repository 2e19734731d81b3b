// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/units/units.hpp"

#include "core/math/expects.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace nearfar {

namespace {

/// One vector's part of rows of `row` numbers. NaNs are skipped, because comparisons with them are false.
template <int strengths, class T>
void find_largest(T const* rows, std::int64_t row, LargestArgs const& args, double* out) {
  T largest[strengths] = {};
  constexpr T finite = std::numeric_limits<T>::max();
  for (std::int64_t i = args.begin; i < args.end; ++i)
    for (int m = 0; m < strengths; ++m) {
      T const size = std::fabs(rows[i * row + m]);
      largest[m] = size > largest[m] && size <= finite ? size : largest[m];
    }
  std::fill_n(out, args.strengths.groups, 0.0);
  for (int m = 0; m < strengths; ++m) {
    double& of_group = out[args.strengths.group[m]];
    of_group = std::max(of_group, double(largest[m]));
  }
}

}  // namespace

template <class T>
void largest_strengths(T const* all, LargestArgs const& args, double* of_all) {
  int const strengths = args.strengths.numbers;
  std::int64_t const row = std::int64_t(strengths) * args.vectors;
  // Compiled for each width, so that the loops over a row are unrolled.
  auto const find = [&]<int... Width>(std::integer_sequence<int, Width...>, int v) {
    T const* const rows = all + v * strengths;
    double* const out = of_all + v * args.strengths.groups;
    return ((Width + 1 == strengths && (find_largest<Width + 1>(rows, row, args, out), true)) || ...);
  };
  for (int v = 0; v < args.vectors; ++v) {
    bool const found = find(std::make_integer_sequence<int, max_strengths>(), v);
    EXPECTS(found, strengths);
    static_cast<void>(found);
  }
}

template <class T>
void Largest<T>::portable(Buffers const& b, Args const& args) {
  largest_strengths(b.get<T const>(0), args, b.get<double>(1));
}

void Units::portable(Buffers const& b, Args const& args) {
  auto* out = b.get<StrengthUnit>(1);
  for (int v = 0; v < args.vectors; ++v)
    out[v] = unit_of_vector(args, v, b.count(0), [&](int i) { return b.get<double const>(0, i); });
}

template void largest_strengths(double const*, LargestArgs const&, double*);
template void largest_strengths(float const*, LargestArgs const&, double*);
template struct Largest<double>;
template struct Largest<float>;

}  // namespace nearfar
