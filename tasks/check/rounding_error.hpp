// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/given_arrays.hpp"
#include "tasks/nodes/ranks.hpp"
#include "tasks/points/views/moved_pair.hpp"

#include <nearfar/kernel.hpp>

#include <vector>

namespace nearfar::detail {

/// Which sums of points were made from these pairs.
struct RoundedSums {
  Kernel kernel;
  Outputs outputs;
  double screening;
  int vectors;
  double tolerance;
  std::vector<double> negligible;  ///< for each field of a row, a field of so much of the first counts as zero
  double const* energy = nullptr;  ///< if the solve has one: energy and virial, or zeros on all ranks but one
  bool virial = false;             ///< whether there is one, too
  /// What a virial is off by because forces are in single precision, over the root of their squares along an axis: a
  /// length. 0: they are in double precision.
  double of_forces = 0;
};

/// The relative l2 error that rounding causes in these results, of the worst field and vector, and in the energy and
/// the largest component of the virial: what it changes the fields of pairs by, over the field found. Fields that
/// cancel are weaker than those of their pairs. Of `moved` pairs of a target all change together, with the points; each
/// of `rounded` by itself. A virial that sums forces times positions also loses the digits of forces that cancel, those
/// of close pairs above all. Each rank gives its pairs, with its strengths, and its results. Collective.
template <class T>
double rounding_error(Ranks const& ranks, MovedPairs const& moved, MovedPairs const& rounded, RoundedSums const& sums,
                      GivenArrays<T const> const& strengths, GivenArrays<T const> const& result);

}  // namespace nearfar::detail
