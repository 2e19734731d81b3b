// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernels.hpp>

#include <optional>
#include <vector>

namespace nearfar::cli {

/// The outputs of a kernel in their order: the first, the first two, and so on.
std::vector<Outputs> sets_of_outputs(KernelInfo const& kernel);

/// The first kernel in the list with the same outputs: charges, or forces.
KernelInfo const& simplest_like(KernelInfo const& kernel);

/// The screening of a measured sum: as given, else one of a few periods of the unit cube, where the kernel needs it.
std::optional<double> screening_for(Kernel kernel, std::optional<double> given);

}  // namespace nearfar::cli
