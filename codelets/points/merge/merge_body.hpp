// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/merge/merge.hpp"
#include "codelets/points/merge/part_view.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "core/math/power_of_two.hpp"

namespace nearfar {

/// The buffers of a merge task by name.
template <class T>
struct MergeView {
  MergeArgs args;
  PartViews<T> parts;
  double const* moments;  ///< or null
  T const* x;             ///< positions of the chunk as the caller gave them
  std::int64_t x_stride;
  std::uint32_t const* index;  ///< of the chunk
  RowPieces<T> results;
  StrengthUnit const* units;

  MergeView(Buffers const& b, MergeArgs const& a)
      : args(a), parts(b, 0, a.components, a.first_row, a.single_last, a.first_number),
        moments(b.count(1) > 0 ? b.get<double const>(1) : nullptr),
        x(moments != nullptr ? b.get<T const>(1, 1) + a.chunk.first : nullptr),
        x_stride(moments != nullptr ? b.size<T>(1, 1) / 3 : 0), index(b.get<std::uint32_t const>(2) + a.chunk.first),
        results(b, 3, b.count(3), a.piece, a.row()), units(b.get<StrengthUnit const>(4) + a.vector.number) {}

  /// Whether a point goes to the caller's rows, and to which.
  NEARFAR_FUNCTION bool goes_out(int i) const { return args.given.have(index[i]); }
  NEARFAR_FUNCTION std::uint32_t place(int i) const { return index[i] - args.given.first; }
  NEARFAR_FUNCTION T* row(int i) const { return results.at(place(i)); }

  NEARFAR_FUNCTION T sum(int i, int m) const {
    T all = 0;
    for (int p = 0; p <= parts.last; ++p) {
      T value = parts.part[p].at(i, m);
      if (moments != nullptr && p == parts.last) value += of_zero_mode(i, m);
      all += value;
    }
    return all;
  }
  /// moments[0] x - moments[1 ..] of a velocity, and its gradient.
  NEARFAR_FUNCTION T of_zero_mode(int i, int m) const {
    if (m < 3) return T(double(x[m * x_stride + i]) * moments[0] - moments[1 + m]);
    int const of_gradient = m - args.gradient;
    return of_gradient >= 0 && of_gradient % 4 == 0 ? T(moments[0]) : T(0);
  }
  /// The exponent of two that converts a sum to the caller's units.
  NEARFAR_FUNCTION int exponent(int m) const {
    int const numbers = args.results.numbers;
    return units[m / numbers].result[args.results.group[m % numbers]];
  }
};

}  // namespace nearfar
