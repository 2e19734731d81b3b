// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/either_precision.hpp"

#include <cstdint>

namespace nearfar {

inline constexpr int max_merge_parts = 4;

/// One of the parts whose sum is the result of a chunk of targets.
template <class T>
struct PartView {
  EitherPrecision begin;
  std::int64_t point, component;  ///< how far apart

  NEARFAR_FUNCTION T at(int i, int m) const { return T(begin[i * point + m * component]); }
};

/// All of them, in the order in which they are added.
template <class T>
struct PartViews {
  PartView<T> part[max_merge_parts];
  int last;  ///< index of the last part

  /// The buffers of an access, with so many components, as MergeArgs says.
  PartViews(Buffers const& b, int access, int components, int first_row, bool single_last, int first_number = 0)
      : last(b.count(access) - 1) {
    for (int p = 0; p <= last; ++p) {
      if (p == last && single_last) part[p] = {b.get<float const>(access, p), 1, b.size<float>(access, p) / components};
      else if (p == 0 && first_row > 0) part[p] = {b.get<T const>(access, p) + first_number, first_row, 1};
      else part[p] = {b.get<T const>(access, p), 1, b.size<T>(access, p) / components};
    }
  }

  /// Component m of point i, of the parts from `first` on.
  NEARFAR_FUNCTION T sum(int i, int m, int first = 0) const {
    T all = 0;
    for (int p = first; p <= last; ++p) all += part[p].at(i, m);
    return all;
  }
};

}  // namespace nearfar
