// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/scale/scale.hpp"
#include "codelets/spectral/transform/gpu_transform.hpp"

#include <vector>

namespace nearfar {

/// Scales the columns of a group in the tiles of all slabs, on a stream, padded ones in parts
/// of this many bytes; returns at once. `sums` receives what the operator sums, always added
/// in the same order. Throws std::runtime_error if the device refuses.
template <class Operator, class T>
void launch_scale(ScaleArgs<Operator> const& args, T const* multipliers, std::vector<GpuComplex<T>*> const& tiles,
                  void* stream, std::size_t part_bytes = gpu_part_bytes, double* sums = nullptr);

}  // namespace nearfar
