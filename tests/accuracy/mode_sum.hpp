// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/split/profile.hpp"
#include "tests/accuracy/measure.hpp"

#include <vector>

namespace nearfar {

/// The far part of a sum that repeats in all directions, mode by mode and without a grid: the multiplier that a plan
/// hands to its tasks, fitted to `error`, over all modes of its band. With zero mean flow.
std::vector<double> mode_sum(System const& system, Profile const& profile, double error);

}  // namespace nearfar
