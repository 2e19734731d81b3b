// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/units/units.hpp"
#include "core/geometry/length_unit.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/graph.hpp"

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// The units of a solve's strengths and results (core/kernels/description/strength_unit.hpp).
/// They depend on the strengths, so tasks compute them. Bin and merge read `units`.
struct StrengthUnits {
  /// Some sources of a stretch of the caller's.
  struct Range {
    std::size_t stretch;
    std::int64_t begin, end;
  };

  UnitShape shape;  ///< of each vector
  int vectors;
  bool known;                      ///< the largest strengths are given
  std::vector<Range> ranges;       ///< of which tasks find the largest
  std::vector<SolveData> largest;  ///< strengths of these
  SolveData units;

  /// `largest_of_all`: if known before, else empty; outlives the tasks.
  StrengthUnits(SolveState& solve, UnitShape const& shape_, int vectors_, std::vector<Range> ranges_,
                std::span<double const> largest_of_all = {})
      : shape(shape_), vectors(vectors_), known(!largest_of_all.empty()), ranges(std::move(ranges_)),
        units(solve.temporary<StrengthUnit>("units", vectors_)) {
    if (known)
      largest.push_back(SolveData::constant("largest", largest_of_all.data(), std::int64_t(largest_of_all.size())));
    for (std::size_t i = 0; i < ranges.size() && !known; ++i)
      largest.push_back(solve.temporary<double>("largest", std::int64_t(shape.strengths.groups) * vectors));
  }
};

/// Inserts units, which waits for the tasks that find the largest strengths unless these are known.
inline void build_units(Graph& graph, StrengthUnits const& of, LengthUnit const& length) {
  auto const tasks = std::int64_t(of.largest.size());
  graph.insert<Units>({of.shape, of.vectors, length.exponent()}, {0, double(tasks)},
                      read(std::vector<Handle>(of.largest.begin(), of.largest.end())), write(of.units));
}

}  // namespace nearfar::detail
