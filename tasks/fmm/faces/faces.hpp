// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/graph.hpp"
#include "tasks/fmm/faces/face_tables.hpp"
#include "tasks/fmm/point_set.hpp"
#include "tasks/fmm/stages.hpp"
#include "tasks/points/energies/energies.hpp"

#include <array>
#include <memory>
#include <vector>

namespace nearfar::detail {

template <class T>
struct FmmJob;

/// What the virial of a periodic cell needs beside the forces: for each axis the field of what is beyond the faces
/// across it, by the same stages as the sum itself (docs/fmm.md). Lists are by block; none without such a virial.
template <class T>
struct FmmFaces {
  struct Axis {
    std::vector<SolveData> locals, near, from_boxes, far;
  };
  std::shared_ptr<FaceTables const> tables;
  std::array<Axis, 3> axes{};
};

template <class T>
FmmFaces<T> make_faces(SolveState& solve, FmmPointSet<T> const& points, FmmStages const& stages);

/// Owners of the sums that build_faces writes, in their order: of every block of leaves for each axis, and of the root.
std::vector<int> owners_of_faces(FmmTree const& tree);

/// Inserts them, and what they add to the virial: the last of the sums of job.solve.energy.
template <class T>
void build_faces(Graph& graph, FmmJob<T> const& job, FmmStages const& stages);

}  // namespace nearfar::detail
