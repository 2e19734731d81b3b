// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/far/influence.hpp"
#include "core/spectral/transforms.hpp"

#include <complex>

namespace nearfar {

/// Real lines mapped together, two in the real and imaginary parts of each column
/// of a batch: line i is number i of the 2 column_batch doubles at a place.
inline constexpr int line_batch = 2 * column_batch;

/// Makes the plans of the transforms, so that no task has to. Thread-safe.
void prepare_line_plans(InfluenceFunction const& f);

/// Doubles of a batch of lines along any axis.
std::int64_t line_scratch(InfluenceFunction const& f);

/// The map of one axis, [place][line_batch] in place: samples 0 .. cut / 2 from modes to space, and what is
/// in reach of the grid, 0 .. size, to modes; by sines for odd lines, else by cosines. Neither is normalised.
void map_lines(InfluenceAxis const& axis, bool odd, double* lines);

}  // namespace nearfar
