// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/fmm/faces/faces.hpp"
#include "tasks/fmm/setup.hpp"
#include "tasks/fmm/stages.hpp"
#include "tasks/points/energies/energies.hpp"
#include "tasks/points/given_strengths.hpp"
#include "tasks/points/merging.hpp"
#include "tasks/points/strength_units.hpp"
#include "tasks/points/travelling_rows.hpp"

#include <span>

namespace nearfar::detail {

/// The data of one solve, apart from what its plan shares. Lists are by block, empty where a block has no such part.
template <class T>
struct FmmJob {
  FmmSetup<T> const& setup;
  FmmPointSet<T> const& points;
  FmmWorkspace const& work;
  int vectors;                                         ///< of strengths
  bool on_gpus;                                        ///< all stages
  SolveData strengths;                                 ///< the caller's
  MergedResults<T> results;                            ///< by block
  std::vector<SolveData> strength_block;               ///< of leaves
  std::vector<SolveData> near, from_boxes, far, cell;  ///< parts of the result: P2P, M2P, L2P, and the cell's field
  std::vector<SolveData> dipole;                       ///< of leaves, where the cell is periodic
  SolveData dipoles;                                   ///< their sum
  EnergyJob energy;                                    ///< of blocks of targets, in their order, and of faces
  FmmFaces<T> faces;
  TravellingRows<T> sent;  ///< strengths in pinned memory, on their way to GPUs
  StrengthUnits units;

  FmmTree const& tree() const noexcept { return *points.tree(); }
  TreeShape const& shape() const noexcept { return tree().tree().shape; }
};

/// Makes all data of a solve. The caller's memory
/// and `travelling` outlive the solve; without `travelling`, the caller's arrays are used directly. `sent`: strengths
/// on their way to GPUs.
template <class T>
FmmJob<T> make_fmm_job(SolveState& solve, FmmPointSet<T> const& points, int vectors, FmmStages const& stages,
                       GivenStrengths<T> const& given, std::span<T> result, TravellingMemory<T>* travelling = nullptr,
                       TravellingRows<T> sent = {}, EnergyJob energy = {});

/// Of a solve whose targets are its sources.
template <class T>
EnergyJob fmm_energy_job(SolveState& solve, FmmPointSet<T> const& points, bool virial);

}  // namespace nearfar::detail
