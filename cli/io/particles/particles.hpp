// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/options.hpp"

#include <nearfar/rows.hpp>

#include <span>
#include <type_traits>
#include <vector>

namespace nearfar::cli {

/// The input of a solve, as rows for the library; of several ranks, what this one has of it.
struct Particles {
  std::vector<double> sources;
  std::vector<double> strengths;
  std::vector<double> other_targets;  ///< empty: the sources
  bool at_sources = true;             ///< targets are the sources
  std::size_t all_sources = 0;        ///< in the file, whoever has them; known to rank 0
  std::size_t all_targets = 0;        ///< likewise

  std::span<double const> targets() const noexcept { return at_sources ? sources : other_targets; }
  std::size_t target_count() const noexcept { return targets().size() / 3; }
};

/// The values in precision T: themselves, or a copy in `store`.
template <class T>
std::span<T const> converted(std::span<double const> values, std::vector<T>& store) {
  if constexpr (std::is_same_v<T, double>) return values;
  else return store.assign(values.begin(), values.end()), store;
}

/// The points of a plan. In single precision it gets views of the doubles, so that it can subtract before it rounds.
template <class T, class Plan>
auto points_of(Plan& plan, Particles const& particles) {
  std::span<double const> const sources = particles.sources, targets = particles.targets();
  if constexpr (std::is_same_v<T, double>) {
    return particles.at_sources ? plan.set_points(sources) : plan.set_points(sources, targets);
  } else {
    auto const view = [](std::span<double const> rows) { return RowsIn::packed(rows.data(), rows.size() / 3, 3); };
    return particles.at_sources ? plan.set_points(view(sources)) : plan.set_points(view(sources), view(targets));
  }
}

/// What this one of several processes reads, as `read_part` deals rows out.
Particles read_particles(SolveSettings const& settings, Kernel kernel, int part = 0, int parts = 1);

/// Before anything costs time: throws Error{bad_input} for an output that could not be written, or would replace an
/// input, another output or a file of the trace.
void check_outputs(SolveSettings const& settings);

/// The same for particles, which have an output in one of their formats; of several ranks the first one checks.
void prepare(SolveSettings const& settings);

/// Throws Error{bad_input} for outputs that the kernel lacks.
void expect_outputs(Kernel kernel, Outputs outputs);

}  // namespace nearfar::cli
