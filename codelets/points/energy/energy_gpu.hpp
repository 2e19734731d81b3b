// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/energy/energy_body.hpp"

#include <vector>

namespace nearfar {

/// The sums of a chunk on a stream, always added in the same order; returns at once. Throws std::runtime_error if a
/// launch is refused.
template <class T>
void launch_energy(EnergyView<T> const& view, void* stream);

/// Energy and virial of all sums, likewise.
void launch_energy_sum(EnergySumArgs const& args, std::vector<double const*> const& of_chunks,
                       std::vector<double const*> const& of_images, std::vector<double const*> const& of_modes,
                       StrengthUnit const* unit, double* out, void* stream);

}  // namespace nearfar
