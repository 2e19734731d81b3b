// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/kernels/description/strength_unit.hpp"
#include "core/math/power_of_two.hpp"

#include <cstdint>

namespace nearfar {

struct LargestArgs {
  RowShape strengths;               ///< of a source in one vector
  int vectors = 1;                  ///< of strengths
  std::int64_t begin = 0, end = 0;  ///< sources, by the caller's order
};

/// Counts numbers of rows of strengths, as for Largest.
template <class T>
void largest_strengths(T const* rows, LargestArgs const& args, double* out);

/// The largest |strength| of a range of sources: one number per vector and field of the strengths
/// (core/kernels/description/strength_unit.hpp). Values that are not finite are ignored; bin refuses them.
template <class T>
struct Largest {
  using Args = LargestArgs;
  using Accesses = AccessList<Read,    // the caller's strengths, rows
                              Write>;  // doubles: one per field for each vector
  static constexpr char const* name = "largest";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

/// The most ranges that the strengths of a solve are cut into.
inline constexpr int max_strength_ranges = 64;

struct UnitsArgs {
  UnitShape shape;
  int vectors = 1;
  int length = 0;  ///< exponent of the unit of length
};

/// The unit of one vector, from the largest strengths of all ranges: largest(i) for i below `ranges`.
template <class LargestOf>
NEARFAR_FUNCTION StrengthUnit unit_of_vector(UnitsArgs const& args, int vector, int ranges, LargestOf const& largest) {
  int exponent[max_strength_fields] = {};
  bool present[max_strength_fields] = {};
  int const groups = int(args.shape.strengths.groups);
  for (int g = 0; g < groups; ++g) {
    double most = 0;
    for (int i = 0; i < ranges; ++i) {
      double const next = largest(i)[vector * groups + g];
      if (next > most) most = next;
    }
    exponent[g] = exponent_of(most);
    present[g] = most > 0;
  }
  return strength_unit(args.shape, exponent, present, args.length);
}

/// The units of a solve, from the largest strengths of all ranges: the same however ranges are cut.
struct Units {
  using Args = UnitsArgs;
  using Accesses = AccessList<ReadMany,  // largest strengths of all ranges
                              Write>;    // a StrengthUnit for each vector
  static constexpr char const* name = "units";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
