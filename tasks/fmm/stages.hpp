// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/cell/cell.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p.hpp"
#include "codelets/fmm/l2p/l2p.hpp"
#include "codelets/fmm/lattice/lattice.hpp"
#include "codelets/fmm/p2m/p2m.hpp"
#include "codelets/fmm/translate/translate.hpp"
#include "tasks/engine/graph.hpp"

namespace nearfar::detail {

/// Graph::insert for one of the stages that have these arguments and accesses.
template <class Args, class Accesses>
struct InserterOf;
template <class Args, class... Access>
struct InserterOf<Args, AccessList<Access...>> {
  using type = void (*)(Graph&, Args const&, Label, Access...);
};
template <class S>
using Inserter = typename InserterOf<typename S::Args, typename S::Accesses>::type;

template <class S>
constexpr Inserter<S> inserter() {
  return [](Graph& graph, typename S::Args const& args, Label label, auto... access) {
    graph.insert<S>(args, label, std::move(access)...);
  };
}

/// The stages of one kernel: the graph is the same for all kernels, and for the stages of tests.
struct FmmStages {
  int rhs, strengths, results;  ///< of one vector: expansions per box, numbers per source, numbers per target

  Inserter<P2M<double, Kernel::laplace>> p2m;
  Inserter<M2M<double>> m2m;
  Inserter<Lattice<double>> lattice;
  Inserter<M2L<double>> m2l;
  Inserter<P2L<double, Kernel::laplace>> p2l;
  Inserter<L2L<double>> l2l;
  Inserter<L2P<double, Kernel::laplace, false>> l2p;
  Inserter<M2P<double, Kernel::laplace, false>> m2p;
  Inserter<FmmP2P<double, Kernel::laplace, false>> leaf_p2p;
  Inserter<CellField<double, false>> cell;

  /// The stages that are members of `S`.
  template <class S>
  static constexpr FmmStages of() {
    return {.rhs = S::rhs,
            .strengths = S::strengths,
            .results = S::results,
            .p2m = inserter<typename S::P2M>(),
            .m2m = inserter<typename S::M2M>(),
            .lattice = inserter<typename S::Lattice>(),
            .m2l = inserter<typename S::M2L>(),
            .p2l = inserter<typename S::P2L>(),
            .l2l = inserter<typename S::L2L>(),
            .l2p = inserter<typename S::L2P>(),
            .m2p = inserter<typename S::M2P>(),
            .leaf_p2p = inserter<typename S::P2P>(),
            .cell = inserter<typename S::Field>()};
  }
};

/// `near_in_single`: pairs, inside a solve in double.
template <class T>
FmmStages fmm_stages(Kernel kernel, bool gradient, bool near_in_single = false);

}  // namespace nearfar::detail
