// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/either_precision.hpp"
#include "codelets/points/merge/merge.hpp"
#include "core/kernels/strength_unit.hpp"
#include "core/math/power_of_two.hpp"

namespace nearfar {

inline constexpr int max_merge_parts = 4;

template <class T>
struct PartView {
  EitherPrecision begin;
  std::int64_t point, component;  ///< how far apart

  NEARFAR_FUNCTION T at(int i, int m) const { return T(begin[i * point + m * component]); }
};

/// The buffers of a merge task by name.
template <class T>
struct MergeView {
  MergeArgs args;
  PartView<T> parts[max_merge_parts];
  int last;               ///< index of the last part
  double const* moments;  ///< or null
  T const* x;             ///< positions of the chunk as the caller gave them
  std::int64_t x_stride;
  std::uint32_t const* index;  ///< of the chunk
  RowPieces<T> results;
  StrengthUnit const* units;

  MergeView(Buffers const& b, MergeArgs const& a)
      : args(a), last(b.count(0) - 1), moments(b.count(1) > 0 ? b.get<double const>(1) : nullptr),
        x(moments != nullptr ? b.get<T const>(1, 1) + a.chunk.first : nullptr),
        x_stride(moments != nullptr ? b.size<T>(1, 1) / 3 : 0), index(b.get<std::uint32_t const>(2) + a.chunk.first),
        results(b, 3, b.count(3), a.piece, a.columns.callers(a.components)), units(b.get<StrengthUnit const>(4)) {
    for (int p = 0; p <= last; ++p) {
      if (p == last && args.single_last)
        parts[p] = {b.get<float const>(0, p), 1, b.size<float>(0, p) / args.components};
      else if (p == 0 && args.first_row > 0) parts[p] = {b.get<T const>(0, p), args.first_row, 1};
      else parts[p] = {b.get<T const>(0, p), 1, b.size<T>(0, p) / args.components};
    }
  }

  /// Whether a point goes to the caller's rows, and to which.
  NEARFAR_FUNCTION bool goes_out(int i) const { return args.given.have(index[i]); }
  NEARFAR_FUNCTION std::uint32_t place(int i) const { return index[i] - args.given.first; }
  NEARFAR_FUNCTION T* row(int i) const { return results.at(place(i)); }

  NEARFAR_FUNCTION T sum(int i, int m) const {
    T all = 0;
    for (int p = 0; p <= last; ++p) {
      T value = parts[p].at(i, m);
      if (moments != nullptr && p == last) value += of_zero_mode(i, m);
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
