// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/stages.hpp"

#include "core/fmm/kernel_sums.hpp"
#include "core/kernels/visit_kernel.hpp"

namespace nearfar::detail {

namespace {

template <class T, Kernel K, bool Gradient>
struct StagesOf {
  static constexpr int rhs = fmm_right_hand_sides(K), strengths = KernelSums<K>::strengths;
  static constexpr int results = K != Kernel::laplace ? 3 : Gradient ? 4 : 1;

  using P2M = nearfar::P2M<T, K>;
  using M2M = nearfar::M2M<T>;
  using Lattice = nearfar::Lattice<T>;
  using M2L = nearfar::M2L<T>;
  using P2L = nearfar::P2L<T, K>;
  using L2L = nearfar::L2L<T>;
  using L2P = nearfar::L2P<T, K, Gradient>;
  using M2P = nearfar::M2P<T, K, Gradient>;
  using P2P = nearfar::FmmP2P<T, K, Gradient>;
  using Field = nearfar::CellField<T, Gradient>;
};

}  // namespace

template <class T>
FmmStages fmm_stages(Kernel kernel, bool gradient, bool near_in_single) {
  return visit_kernel(kernel, gradient, [=]<Kernel K, bool Gradient>(KernelCase<K, Gradient>) {
    FmmStages stages = FmmStages::of<StagesOf<T, K, Gradient>>();
    if (near_in_single) stages.leaf_p2p = inserter<FmmP2P<T, K, Gradient, float>>();
    return stages;
  });
}

template FmmStages fmm_stages<double>(Kernel, bool, bool);
template FmmStages fmm_stages<float>(Kernel, bool, bool);

}  // namespace nearfar::detail
