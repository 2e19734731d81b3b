// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/units/units.hpp"
#include "core/geometry/length_unit.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/graph.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace nearfar::detail {

/// The units of a solve's strengths and results (core/kernels/description/strength_unit.hpp).
/// They depend on the strengths, so tasks compute them. Bin and merge read `units`.
struct StrengthUnits {
  std::int64_t sources;
  UnitShape shape;  ///< of each vector
  int vectors;
  bool known;                      ///< the largest strengths are given
  std::vector<SolveData> largest;  ///< strengths of ranges of sources
  SolveData units;

  /// `ranges`: number of ranges of sources; 0: as suits CPU workers.
  /// `largest_of_all`: if known before, else empty; outlives the tasks.
  StrengthUnits(SolveState& solve, std::size_t sources_, UnitShape const& shape_, int vectors_, std::int64_t ranges = 0,
                std::span<double const> largest_of_all = {})
      : sources(std::int64_t(sources_)), shape(shape_), vectors(vectors_), known(!largest_of_all.empty()),
        units(solve.temporary<StrengthUnit>("units", vectors_)) {
    if (known) {
      largest.push_back(SolveData::constant("largest", largest_of_all.data(), std::int64_t(largest_of_all.size())));
      return;
    }
    constexpr std::int64_t numbers_of_a_task = 1 << 17;
    std::int64_t const tasks =
        ranges > 0 ? ranges
                   : std::clamp<std::int64_t>(sources * shape.strengths.numbers * vectors / numbers_of_a_task, 1,
                                              max_strength_ranges);
    for (std::int64_t i = 0; i < tasks; ++i)
      largest.push_back(solve.temporary<double>("largest", std::int64_t(shape.strengths.groups) * vectors));
  }
};

/// largest
template <class T>
void build_largest(Graph& graph, StrengthUnits const& of, Handle rows) {
  auto const tasks = std::int64_t(of.largest.size());
  for (std::int64_t i = 0; i < tasks && !of.known; ++i) {
    LargestArgs const range{of.shape.strengths, of.vectors, of.sources * i / tasks, of.sources * (i + 1) / tasks};
    double const numbers = double(range.end - range.begin) * of.shape.strengths.numbers * of.vectors;
    graph.insert<Largest<T>>(range, {int(i), numbers}, read(rows), write(of.largest[std::size_t(i)]));
  }
}

/// Inserts units, after the largest are known or tasks find them.
inline void build_units(Graph& graph, StrengthUnits const& of, LengthUnit const& length) {
  auto const tasks = std::int64_t(of.largest.size());
  graph.insert<Units>({of.shape, of.vectors, length.exponent()}, {0, double(tasks)},
                      read(std::vector<Handle>(of.largest.begin(), of.largest.end())), write(of.units));
}

}  // namespace nearfar::detail
