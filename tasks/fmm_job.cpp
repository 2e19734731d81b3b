// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_job.hpp"

#include "codelets/cell/cell.hpp"

#include <array>

namespace nearfar::detail {

template <class T>
FmmJob<T> FmmJob<T>::make(std::shared_ptr<SolveState const> const& solve, FmmPointSet<T> const& points, int vectors,
                          int rhs, std::span<T const> strengths, std::span<T> result) {
  FmmTree const& tree = *points.tree();
  FmmSetup<T> const& setup = points.setup();
  auto const blocks = std::size_t(tree.blocks());
  std::int64_t const given = std::int64_t(strengths.size() / points.sources().size());
  std::int64_t const results = std::int64_t(result.size() / points.targets().size());
  FmmJob job{setup,
             points,
             points.lanes()->lane_for(solve, tree, setup.order, rhs),
             vectors,
             Data::over("strengths", strengths.data(), std::int64_t(strengths.size())),
             Data::over("result", result.data(), std::int64_t(result.size())),
             std::vector<Data>(blocks),
             std::vector<Data>(blocks),
             std::vector<Data>(blocks),
             std::vector<Data>(blocks),
             std::vector<Data>(blocks),
             std::vector<Data>(blocks),
             {}};
  bool const periodic = tree.tree().shape.periodic, field = periodic && setup.boundary == Boundary::tin_foil;
  for (int b = 0; b < tree.blocks(); ++b) {
    auto const i = std::size_t(b);
    if (tree.is_source_leaves(b)) {
      job.strength_block[i] = Data::temporary<T>("strengths of block", points.sources().stride(b) * given);
      if (periodic) job.dipole[i] = Data::temporary<double>("dipole", cell_moments * vectors);
    }
    if (!tree.is_target_leaves(b)) continue;
    std::int64_t const size = points.targets().stride(b) * results;
    job.near[i] = Data::temporary<T>("near", size);
    if (tree.has_local(b)) job.far[i] = Data::temporary<T>("far", size);
    if (!tree.lists(b).m2p.empty()) job.from_boxes[i] = Data::temporary<T>("from boxes", size);
    if (field) job.cell[i] = Data::temporary<T>("cell", size);
  }
  if (periodic) job.dipoles = Data::temporary<double>("dipoles", cell_moments * vectors);
  return job;
}

template <class T>
void FmmJob<T>::release() {
  for (Data* data : {&strengths, &result, &dipoles}) data->release_after_use();
  for (auto* list : {&strength_block, &near, &from_boxes, &far, &cell, &dipole})
    for (Data& data : *list) data.release_after_use();
}

template struct FmmJob<double>;
template struct FmmJob<float>;

}  // namespace nearfar::detail
