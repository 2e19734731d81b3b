// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/fmm/faces/faces.hpp"
#include "tasks/fmm/setup.hpp"
#include "tasks/fmm/stages.hpp"
#include "tasks/particles/particle_solve.hpp"

#include <span>

namespace nearfar::detail {

/// The data of one solve, apart from what its plan shares. Lists are by block, empty where a block has no such part.
template <class T>
struct FmmJob {
  FmmSetup<T> const& setup;
  FmmPointSet<T> const& points;
  FmmWorkspace const& work;
  ParticleSolve<T> solve;  ///< results, and energies of blocks of targets, in their order, and of faces
  FmmFaces<T> faces;
  std::vector<SolveData> strength_block;               ///< of leaves
  std::vector<SolveData> near, from_boxes, far, cell;  ///< parts of the result: P2P, M2P, L2P, and the cell's field
  std::vector<SolveData> dipole;                       ///< of leaves, where the cell is periodic
  SolveData dipoles;                                   ///< their sum

  FmmTree const& tree() const noexcept { return *points.tree(); }
  TreeShape const& shape() const noexcept { return tree().tree().shape; }
};

/// Makes all data of a solve. `energy`: of a solve whose targets are its sources (fmm_energy_job), or none.
template <class T>
FmmJob<T> make_fmm_job(SolveState& solve, FmmPointSet<T> const& points, int vectors, FmmStages const& stages,
                       SolveArrays<T> const& arrays, EnergyJob energy = {});

template <class T>
EnergyJob fmm_energy_job(SolveState& solve, FmmPointSet<T> const& points, bool virial);

}  // namespace nearfar::detail
