// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bench/plans/plan_race.hpp"
#include "cli/bench/bench.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace nearfar::cli {

/// What is asked of plans; `method` is one of the two, or empty for both.
struct PlansSettings : BenchSettings {
  bool all_cases = false;    ///< all by which plans are judged
  bool quick_cases = false;  ///< or a few small ones
  RaceRules race{};
};

/// One line of JSON for each request: the plan chosen for it beside others.
void bench_plans(PlansSettings const& settings);

/// A request whose plan is judged.
struct PlanCase {
  bool ewald = true;  ///< or the multipole method
  Kernel kernel = Kernel::stokeslet;
  Outputs outputs{};
  std::size_t count = 0;
  double tolerance = 0;
  Distribution distribution = Distribution::uniform;
};

/// The 24 cases by which the choice of plans is judged: both methods, all kernels, 1e4 to 1e6 points, tolerances of
/// 1e-3 to 1e-9, points spread evenly and in clusters. `quick`: a few small ones.
std::vector<PlanCase> plan_cases(bool quick);

/// The plan that is chosen, and plans around it, nearest first: other cutoffs, grids and windows, each with what is
/// left open chosen for it, and the same plan cut into more or fewer tasks; other orders, depths, capacities and
/// separations. Rows and runtime outlive the entrants.
struct PlanField {
  MakeEntrant chosen;
  std::vector<MakeEntrant> others;
  double predicted = 0;  ///< CPU seconds of the chosen one, by its plan
};
template <class T>
PlanField ewald_field(Runtime const& runtime, EwaldOptions const& options, Rows<T> const& rows);
template <class T>
PlanField fmm_field(Runtime const& runtime, FmmOptions const& options, Rows<T> const& rows);

}  // namespace nearfar::cli
