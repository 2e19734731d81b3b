// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/green/green.hpp"
#include "codelets/spectral/transform/gpu_transform.hpp"

#include <vector>

namespace nearfar {

/// Planes of a Green's function, on a stream; returns at
/// once. Throws std::runtime_error if the device refuses.
void launch_green(GreenPlanesArgs const& args, SharedTerms const* shared, double* planes, void* stream);

/// Contiguous planes.
struct GreenSlab {
  double const* planes;
  std::int64_t count;
};

/// Columns of the table from all planes.
template <class T>
void launch_green_columns(GreenColumnsArgs const& args, std::vector<GreenSlab> const& slabs, T* table, void* stream);

}  // namespace nearfar
