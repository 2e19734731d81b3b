// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/solves/ewald_run.hpp"

#include <nearfar/error.hpp>
#include <nearfar/gather.hpp>
#include <nearfar/tune.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>
#include <vector>

namespace nearfar::cli {

namespace {

/// Relative l2 difference over the rows of all ranks.
double relative_l2(Runtime const& runtime, std::vector<double> const& a, std::vector<double> const& b,
                   std::size_t columns, std::size_t from, std::size_t to) {
  double difference = 0, norm = 0;
  for (std::size_t row = 0; row < a.size(); row += columns)
    for (std::size_t i = row + from; i < row + to; ++i) {
      difference += (a[i] - b[i]) * (a[i] - b[i]);
      norm += b[i] * b[i];
    }
  difference = double(sum_of_ranks(runtime, difference));
  norm = double(sum_of_ranks(runtime, norm));
  return norm > 0 ? std::sqrt(difference / norm) : std::sqrt(difference);
}

/// Of numbers that make one: the largest difference by the largest of b.
double relative_largest(std::span<double const> a, std::span<double const> b) {
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference = std::max(difference, std::abs(a[i] - b[i]));
    largest = std::max(largest, std::abs(b[i]));
  }
  return largest > 0 ? difference / largest : difference;
}

}  // namespace

template <class T>
EwaldOutcome run_ewald(Runtime const& runtime, EwaldOptions const& options, Part part, Particles const& particles,
                       Progress& progress) {
  progress.step("planning");
  tune_once<T>(runtime, particles.all_sources);
  BasicEwald<T> plan{runtime, options};
  std::vector<T> store;
  auto const strengths = converted<T>(particles.strengths, store);
  auto const points = points_of<T>(plan, particles);
  std::vector<T> result(particles.target_count() *
                        static_cast<std::size_t>(result_components(options.kernel, options.outputs)));
  progress.step("solving");
  auto solve = plan.submit(points, strengths, result, part);
  progress.wait(solve);
  progress.end();
  if constexpr (std::is_same_v<T, double>) return {std::move(solve), plan.parameters(), std::move(result)};
  else return {std::move(solve), plan.parameters(), {result.begin(), result.end()}};
}

template EwaldOutcome run_ewald<double>(Runtime const&, EwaldOptions const&, Part, Particles const&, Progress&);
template EwaldOutcome run_ewald<float>(Runtime const&, EwaldOptions const&, Part, Particles const&, Progress&);

CheckErrors difference_to_other_parameters(Runtime const& runtime, EwaldOptions const& options,
                                           Particles const& particles, EwaldOutcome& outcome) {
  constexpr double finest = 1e-12;
  EwaldOptions other = options;
  other.tolerance = std::max(options.tolerance / 10, finest);
  other.near_precision = NearPrecision::automatic;
  other.far_precision = FarPrecision::automatic;
  other.grid.reset();
  other.window_points.reset();
  other.split_parameter.reset();
  Progress silent{true};
  auto const solve = [&](double factor) {
    other.cutoff = factor * outcome.parameters.cutoff;
    return run_ewald<double>(runtime, other, Part::whole, particles, silent);
  };
  EwaldOutcome reference;
  try {
    reference = solve(1.25);
  } catch (Error const& error) {
    // The chosen cutoff may already be the largest that the box allows.
    if (error.fault() != Fault::bad_input) throw;
    reference = solve(0.8);
  }
  auto const columns = static_cast<std::size_t>(result_components(options.kernel, options.outputs));
  CheckErrors errors;
  std::size_t begin = 0;
  for (Output const output : list_of(options.outputs | first_output(options.kernel))) {
    std::size_t const end = begin + std::size_t(output_components(options.kernel, output));
    errors.result =
        std::max(errors.result, relative_l2(runtime, outcome.result, reference.result, columns, begin, end));
    begin = end;
  }
  SolveReport const found = outcome.solve.report(), expected = reference.solve.report();
  if (found.energy) errors.energy = relative_largest({&*found.energy, 1}, {&*expected.energy, 1});
  if (found.virial) errors.virial = relative_largest(*found.virial, *expected.virial);
  return errors;
}

}  // namespace nearfar::cli
