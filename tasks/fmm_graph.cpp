// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_graph.hpp"

#include "codelets/fmm_p2p/fmm_p2p.hpp"
#include "codelets/l2p/l2p.hpp"
#include "codelets/lattice/lattice.hpp"
#include "codelets/p2m/p2m.hpp"
#include "codelets/translate/translate.hpp"

namespace nearfar::detail {

namespace {

/// The stages of one kernel.
template <class T, Kernel K, bool Gradient>
struct FmmStages {
  using Number = T;
  static constexpr int rhs = fmm_right_hand_sides(K);
  static constexpr int strengths = KernelSums<K>::strengths;
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

template <class T, Kernel K, bool Gradient>
void build_stages(Graph& graph, FmmJob<T>& job) {
  build_fmm_graph<FmmStages<T, K, Gradient>>(graph, job);
}

}  // namespace

template <class T>
void build_fmm_graph(Graph& graph, FmmJob<T>& job, Kernel kernel, bool gradient) {
  switch (kernel) {
    case Kernel::stokeslet: return build_stages<T, Kernel::stokeslet, false>(graph, job);
    case Kernel::stresslet: return build_stages<T, Kernel::stresslet, false>(graph, job);
    case Kernel::stokes: return build_stages<T, Kernel::stokes, false>(graph, job);
    case Kernel::laplace:
      return gradient ? build_stages<T, Kernel::laplace, true>(graph, job)
                      : build_stages<T, Kernel::laplace, false>(graph, job);
  }
}

template void build_fmm_graph(Graph&, FmmJob<double>&, Kernel, bool);
template void build_fmm_graph(Graph&, FmmJob<float>&, Kernel, bool);

}  // namespace nearfar::detail
