// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/poisson/green.hpp"
#include "core/spectral/transforms.hpp"

#include <cstdint>

namespace nearfar {

/// Makes the plans of the transforms of a Green's function, so that no task has to. Thread-safe.
void prepare_cosine_plans(GreenFunction const& green);

/// Doubles of work space for map_axis, beside the batch.
std::int64_t cosine_scratch(GreenFunction const& green);

/// Doubles of a batch of column_batch lines along any axis.
std::int64_t cosine_batch(GreenFunction const& green);

/// Zeros at every place of a batch that map_axis reads or writes along this axis: short axes of a long grid have few.
void clear_axis(GreenFunction const& green, int axis, double* batch);

/// The map of one axis (core/poisson/green.hpp) from samples to modes,
/// [place][column_batch] in place. Even sequences are transformed by cosines (DCT-I), or
/// for method vico as a whole by a complex transform, of which the real part is kept.
void map_axis(GreenFunction const& green, int axis, double* batch, double* scratch);

}  // namespace nearfar
