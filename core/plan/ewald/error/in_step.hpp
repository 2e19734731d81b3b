// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/ewald/arrangement.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar {

/// How much larger than by chance errors are for sources that lie like this, `most` at most: those of a crystal add up
/// in step. Of some two thousand crystals 3.9 was the most that was measured; this is 4. The part of the error that is
/// in step falls with the order that is left (Arrangement::order), as reflections of a crystal do with heat (Debye and
/// Waller): 2.4 for ions that are off by a tenth of the distance between planes. It is 1 without planes.
double crystal_error(Arrangement const& sources, double most) noexcept;

/// If sources lie in a plane, those of their errors that vary only across it add up in step, too: aliases of modes
/// (0, 0, k), which are up to two thirds of all errors in square, as the lowest modes carry most. This is that part for
/// planes across each axis; next to nothing for sources spread over the box. In the parameters' unit.
std::array<double, 3> in_step_across(Arrangement const& sources, EwaldPlanning const& parameters) noexcept;

/// Over how many sources errors average: sources within a grid spacing of each other have the same error, so those of a
/// compact cluster count as one. In the parameters' unit.
double averaged_over(double sources, Arrangement const& arrangement, EwaldPlanning const& parameters) noexcept;

/// What polynomials of the near part are off by, and what a cutoff leaves out of the erf split, is alike for all pairs:
/// for strengths that do not add up to zero the errors of potentials or velocities grow with the number of neighbours,
/// not with its root. So does rounding in layers with the number of sources. This is that error for so many sources of
/// mean strength 1. It is small but for cutoffs as long as many periods, in boxes with long free edges. In the
/// parameters' unit.
double in_step_pairs(Arrangement const& sources, double count, EwaldOptions const& options,
                     EwaldPlanning const& parameters, bool in_single);

}  // namespace nearfar
