// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/ewald/plan.hpp"
#include "tasks/particles/particle_solve.hpp"

#include <memory>
#include <vector>

namespace nearfar::detail {

/// The contribution of a P2P task to the points of another block (core/geometry/mutual.hpp).
struct MutualContribution {
  int block;
  SolveData rows;
};

/// The near part of a vector of strengths, or of several whose pairs are summed together (core/kernels/several.hpp).
struct NearJob {
  int vectors = 1;                                      ///< for which there is room in records and rows
  int row = 0;                                          ///< numbers in a row of a target
  std::vector<SolveData> packed;                        ///< positions and strengths, by block
  std::vector<SolveData> results;                       ///< by chunk; empty if the solve has no near part
  std::vector<std::vector<MutualContribution>> mutual;  ///< by chunk; empty if each task sums all its pairs
};

/// The data of one vector of strengths in a solve, apart from what its plan shares. A block is one of sources, a chunk
/// one of targets.
template <class T>
struct EwaldJob {
  EwaldSetup<T> const& setup;
  PointSet<T> const& points;
  EwaldWorkspace const& work;
  Part part;
  VectorNumber vector;                            ///< this one
  std::shared_ptr<ParticleSolve<T> const> solve;  ///< of all vectors, results by chunk
  std::vector<SolveData> strength_block;          ///< strengths, by block
  std::shared_ptr<NearJob const> near;            ///< shared by vectors that are summed together
  int in_near;                                    ///< which of those this one is
  std::vector<SolveData> far;                     ///< part of the result, by chunk; empty if the solve has none
  std::vector<SolveData> moment;                  ///< by block, if the far part has a zero mode
  SolveData moments;                              ///< their sum

  bool has_near() const noexcept { return part != Part::far; }
  bool has_far() const noexcept { return part != Part::near; }
  bool has_zero_mode() const noexcept { return !moment.empty(); }
};

/// What a solve is to compute.
struct EwaldRequest {
  Part part;
  bool mutual;          ///< pairs of points in two blocks are summed once for both, if the targets are the sources
  bool energy = false;  ///< and, if the plan has one, a virial
  int vectors = 1;      ///< of strengths
};

/// Makes the data of each vector of a solve.
template <class T>
std::vector<EwaldJob<T>> make_ewald_jobs(SolveState& solve, EwaldSetup<T>& setup, PointSet<T> const& points,
                                         EwaldRequest const& request, SolveArrays<T> const& arrays);

}  // namespace nearfar::detail
