// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/result_rows.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/points/strength_units.hpp"

#include <vector>

namespace nearfar::detail {

/// What a P2P task finds for the points of another block (core/geometry/mutual.hpp).
struct MutualContribution {
  int block;
  SolveData rows;
};

/// What one solve works on, beside what its plan shares. A block is one of sources, a chunk one of targets.
template <class T>
struct EwaldJob {
  EwaldSetup<T> const& setup;
  PointSet<T> const& points;
  EwaldWorkspace const& work;
  Part part;
  bool gpus;                              ///< some are counted on, for P2P
  bool on_gpus;                           ///< all stages, as far as GPUs have bodies of them
  SolveData strengths;                    ///< the caller's
  ResultRows result;                      ///< the caller's, by chunk
  std::vector<SolveData> strength_block;  ///< strengths, by block
  std::vector<SolveData> packed;          ///< positions and strengths, by block
  std::vector<SolveData> near, far;       ///< parts of the result, by chunk; none where the solve has no such part
  std::vector<std::vector<MutualContribution>> mutual;  ///< by chunk; none where each task sums all its pairs
  std::vector<SolveData> moment;                        ///< by block, where the far part has a zero mode
  SolveData moments;                                    ///< their sum
  StrengthUnits units;

  bool has_near() const noexcept { return part != Part::far; }
  bool has_far() const noexcept { return part != Part::near; }
  bool has_zero_mode() const noexcept { return !moment.empty(); }
};

/// Temporary data of each block of sources, `components` of type A for each point.
template <class A, class T>
std::vector<SolveData> block_data(char const* name, PointSet<T> const& points, int components);

/// The same of each chunk of targets; none for no components.
template <class T>
std::vector<SolveData> chunk_data(char const* name, PointSet<T> const& points, int components);

/// Rows of `row` numbers for the points of other blocks whose pairs a chunk sums for both; none for no
/// numbers.
template <class T>
std::vector<std::vector<MutualContribution>> mutual_data(Cells const& cells, PointSet<T> const& points, int row);

std::vector<SolveData> moment_data(BlockOwners const& owners, bool wanted);

}  // namespace nearfar::detail
