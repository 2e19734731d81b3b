// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/constants.hpp"
#include "core/plan/throughput.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"

#include <nearfar/ewald.hpp>
#include <nearfar/fmm.hpp>

#include <functional>
#include <memory>

namespace nearfar::detail {

/// A solve on workers of one kind, and the seconds of each row on a worker as fast as one reference core.
struct Problem {
  std::function<Speeds(WorkConstants const&)> reference;
  std::function<Solve(Trial const&)> submit;
};

/// Of random points and strengths, planned for an unmeasured machine.
template <class T>
Problem ewald_problem(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions options, std::size_t count,
                      WorkerKind kind);
/// Potential and gradient where the options ask for no outputs. Points are clustered toward a corner if `power` is
/// above 1.
template <class T>
Problem fmm_problem(std::shared_ptr<RuntimeState> const& runtime, FmmOptions options, std::size_t count,
                    WorkerKind kind, double power = 1);

}  // namespace nearfar::detail
