// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/hunt/problem.hpp"

namespace nearfar::hunt {

/// Numbers from here on are of problems like those before, with pairs in single precision, few targets that are close
/// to sources or their images, and points that are given whole periods away from each other.
inline constexpr std::uint64_t first_close = 50000;

/// Whether the problem of this number is such a one; of those with energies a third are.
bool is_close(std::uint64_t number);

/// Chooses the precision of pairs and the tolerance that it suits, moves targets beside sources, and points by periods
/// of their own.
void bring_close(std::uint64_t number, Problem& problem);

}  // namespace nearfar::hunt
