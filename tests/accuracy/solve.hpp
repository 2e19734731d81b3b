// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/measure.hpp"

#include <nearfar/ewald.hpp>
#include <nearfar/runtime.hpp>

#include <vector>

namespace nearfar {

struct Outcome {
  std::vector<double> whole, far;
  EwaldPlanning parameters;
};

/// The library's answer for the whole, and then for the far part, by the plan that the whole ended with: its check may
/// have found that it needs a finer one. Kernel, gradient, box and, if it is 0, count in `options` are set from the
/// system; its zero mode is left out where the system leaves none open.
template <class T = double>
Outcome solve(Runtime const& runtime, System const& system, EwaldOptions options);

/// Only the whole.
std::vector<double> solve_whole(Runtime const& runtime, System const& system, EwaldOptions const& options);

}  // namespace nearfar
