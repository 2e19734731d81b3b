// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/fmm_setup.hpp"

namespace nearfar::detail {

/// What one solve works on, beside what its plan shares. Lists are by block, empty where a block has no such part.
template <class T>
struct FmmJob {
  FmmSetup<T> const& setup;
  FmmPointSet<T> const& points;
  FmmLane const& lane;
  int vectors;                                    ///< of strengths
  Data strengths;                                 ///< the caller's
  Data result;                                    ///< the caller's
  std::vector<Data> strength_block;               ///< of leaves
  std::vector<Data> near, from_boxes, far, cell;  ///< parts of the result: P2P, M2P, L2P, and the cell's field
  std::vector<Data> dipole;                       ///< of leaves, where the cell is periodic
  Data dipoles;                                   ///< their sum

  /// A job with all the data it needs; `strengths` and `results` are numbers per point.
  static FmmJob make(std::shared_ptr<SolveState const> const& solve, FmmPointSet<T> const& points, int vectors, int rhs,
                     std::span<T const> strengths, std::span<T> result);

  /// Once all tasks are submitted: the data go when they have ended.
  void release();
};

/// Positions and strengths of a list of blocks, as P2L reads them, or as P2P does, to which only differences matter.
template <class T>
std::vector<Handle> points_of(FmmJob<T> const& job, std::vector<std::int32_t> const& blocks, bool exact = false) {
  auto const& sources = job.points.sources();
  std::vector<Handle> handles;
  for (std::int32_t b : blocks)
    handles.insert(handles.end(),
                   {exact ? sources.exact_position(b) : sources.position(b), job.strength_block[std::size_t(b)]});
  return handles;
}

inline std::vector<Handle> expansions_of(std::vector<Data> const& data, std::vector<std::int32_t> const& blocks) {
  std::vector<Handle> handles;
  for (std::int32_t b : blocks) handles.push_back(data[std::size_t(b)]);
  return handles;
}

}  // namespace nearfar::detail
