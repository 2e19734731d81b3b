// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// A source packed for P2P, so that reading few neighbours still reads whole rows: x, y, z, its strengths, and
/// zeros up to a whole number of quads, which SIMD registers transpose. Positions have precision T, sums
/// precision A. In single precision inside a double solve (A = float, T = double) a coordinate is a sum of three
/// parts, each the leading bits of what the parts before it leave: 24 + 24 + 24 bits hold all 53. The difference
/// of two points is that of their first parts plus that of their second parts, accurate to single precision
/// unless they are very close (NearKernel::close_squared); then all three are needed. A packed source is
///   first parts of x, y, z; second parts; strengths; third parts.
template <class T, class A = T>
struct PackedSource {
  static constexpr bool in_parts = sizeof(A) < sizeof(T);
  static constexpr int first_strength = in_parts ? 6 : 3;

  /// Numbers of a packed source, and how many of them are read unless points are very close: both whole quads.
  NEARFAR_FUNCTION static constexpr int width(int strengths) {
    return quads(first_strength + strengths + (in_parts ? 3 : 0));
  }
  NEARFAR_FUNCTION static constexpr int read(int strengths) { return quads(first_strength + strengths); }

  /// Stores coordinate number d.
  NEARFAR_FUNCTION static void put(A* record, int strengths, int d, T x) {
    if constexpr (in_parts) {
      T rest = x;
      record[d] = take_part(rest);
      record[3 + d] = take_part(rest);
      record[first_strength + strengths + d] = A(rest);
    } else {
      record[d] = x;
    }
  }
  /// Reads it back exactly.
  NEARFAR_FUNCTION static T position(A const* record, int strengths, int d) {
    if constexpr (in_parts) return T(record[d]) + (T(record[3 + d]) + T(record[first_strength + strengths + d]));
    else return record[d];
  }

  /// Removes the leading bits of a number, as many as A holds, and returns them: rounded towards
  /// zero, by bit masks, because GCC 12 drops a conversion to float and back when it vectorises.
  NEARFAR_FUNCTION static A take_part(T& x) {
    if constexpr (in_parts) {
      constexpr std::uint64_t leading = ~((std::uint64_t(1) << 29) - 1);
      T const part = __builtin_bit_cast(T, __builtin_bit_cast(std::uint64_t, x) & leading);
      x -= part;
      return A(part);
    } else {
      return x;
    }
  }

 private:
  NEARFAR_FUNCTION static constexpr int quads(int numbers) { return (numbers + 3) / 4 * 4; }
};

/// Numbers of a packed source whose positions have the precision of the sums.
NEARFAR_FUNCTION constexpr int packed_width(int strengths) { return PackedSource<double>::width(strengths); }

/// The numbers in a row of P2P's results of a target: zeros fill
/// it up to a whole quad where it has more than one number.
NEARFAR_FUNCTION constexpr int result_row(int results) { return results == 1 ? 1 : (results + 3) / 4 * 4; }

}  // namespace nearfar
