// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// A source as P2P reads it, however few of its neighbours are read: x, y, z, its strengths, and zeros up to a whole
/// number of quads, which SIMD registers turn into columns. Positions are of precision T, what is summed of precision
/// A. In single precision inside a double solve (A = float, T = double) a coordinate is the sum of three parts, of
/// which every one has the leading bits of what the ones before it leave: 24 + 24 + 24 bits hold all 53. The difference
/// of two points is that of their first parts plus that of their second parts, which is right to single precision
/// unless they are very close (NearKernel::close_squared); then all three are needed. The record is
///   first parts of x, y, z; second parts; strengths; third parts.
template <class T, class A = T>
struct PackedSource {
  static constexpr bool in_parts = sizeof(A) < sizeof(T);
  static constexpr int first_strength = in_parts ? 6 : 3;

  /// Numbers of a record, and how many of them are read unless points are very close: both whole quads.
  NEARFAR_FUNCTION static constexpr int width(int strengths) {
    return quads(first_strength + strengths + (in_parts ? 3 : 0));
  }
  NEARFAR_FUNCTION static constexpr int read(int strengths) { return quads(first_strength + strengths); }

  /// Writes coordinate number d.
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
  /// Reads it, to the last bit.
  NEARFAR_FUNCTION static T position(A const* record, int strengths, int d) {
    if constexpr (in_parts) return T(record[d]) + (T(record[3 + d]) + T(record[first_strength + strengths + d]));
    else return record[d];
  }

  /// The leading bits of a number, as many as A has, which are taken off it: rounded towards zero, by its bits, since
  /// GCC 12 takes a conversion to float and back for nothing where it makes vectors of them.
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

/// Numbers of a record whose positions are of the precision that is summed.
NEARFAR_FUNCTION constexpr int packed_width(int strengths) { return PackedSource<double>::width(strengths); }

/// A target's results as P2P leaves them, followed by zeros up to a whole quad where there is more than one. This many
/// numbers.
NEARFAR_FUNCTION constexpr int result_row(int results) { return results == 1 ? 1 : (results + 3) / 4 * 4; }

}  // namespace nearfar
