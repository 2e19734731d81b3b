// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/stages.hpp"

#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/softened.hpp"

namespace nearfar::detail {

namespace {

template <class T, class K>
struct StagesOf {
  static constexpr KernelDescription of = describe<K>();
  static constexpr int rhs = K::Sums::rhs;
  static constexpr UnitShape unit = of.unit;
  static constexpr RowShape results = of.result_shape;

  using P2M = nearfar::P2M<T, typename K::Sums>;
  using M2M = nearfar::M2M<T>;
  using Lattice = nearfar::Lattice<T>;
  using M2L = nearfar::M2L<T>;
  using P2L = nearfar::P2L<T, typename K::Sums>;
  using L2L = nearfar::L2L<T>;
  using L2P = nearfar::L2P<T, typename K::Evaluation>;
  using M2P = nearfar::M2P<T, typename K::Evaluation>;
  using P2P = nearfar::FmmP2P<T, K>;
  using Field = nearfar::CellField<T, K::Evaluation::slopes>;
};

}  // namespace

template <class T>
FmmStages fmm_stages(Kernel kernel, Outputs outputs, bool near_in_single) {
  return visit_multipole_kernel(kernel, outputs, [=]<class K>(K) {
    FmmStages stages = FmmStages::of<StagesOf<T, K>>();
    stages.columns = row_columns({0, 1, 2}, K::result_fields, outputs);
    stages.energy = describe<K>().energy;
    if (near_in_single) stages.leaf_p2p = inserter<FmmP2P<T, K, float>>();
    if constexpr (may_be_softened<K>) stages.soft_p2p = inserter<SoftP2P<T, K>>();
    return stages;
  });
}

template FmmStages fmm_stages<double>(Kernel, Outputs, bool);
template FmmStages fmm_stages<float>(Kernel, Outputs, bool);

}  // namespace nearfar::detail
