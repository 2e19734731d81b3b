// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/cell/cell.hpp"
#include "codelets/fmm/fmm_p2p/fmm_p2p.hpp"
#include "codelets/fmm/l2p/l2p.hpp"
#include "codelets/fmm/lattice/lattice.hpp"
#include "codelets/fmm/p2m/p2m.hpp"
#include "codelets/fmm/soft_p2p/soft_p2p.hpp"
#include "codelets/fmm/translate/translate.hpp"
#include "core/geometry/axes.hpp"
#include "core/kernels/pairs/force.hpp"
#include "tasks/engine/graph.hpp"

namespace nearfar::detail {

/// The stages of one kernel: the graph is the same for all kernels, and for the stages of tests.
struct FmmStages {
  int rhs;                   ///< expansions per box for one vector of strengths
  UnitShape unit;            ///< of a row of strengths
  RowShape results;          ///< of a row of results
  RowColumns columns{};      ///< of the caller's rows, for each of them
  EnergyStrengths energy{};  ///< of a row of strengths

  Inserter<P2M<double, LaplaceSums>> p2m;
  Inserter<M2M<double>> m2m;
  Inserter<Lattice<double>> lattice;
  Inserter<M2L<double>> m2l;
  Inserter<P2L<double, LaplaceSums>> p2l;
  Inserter<L2L<double>> l2l;
  Inserter<L2P<double, Laplace::Evaluation>> l2p;
  Inserter<M2P<double, Laplace::Evaluation>> m2p;
  Inserter<FmmP2P<double, Laplace>> leaf_p2p;
  Inserter<CellField<double, 0>> cell;
  Inserter<SoftP2P<double, Laplace>> soft_p2p{};  ///< of kernels that may be softened

  /// The stages that are members of `S`.
  template <class S>
  static FmmStages of() {
    return {.rhs = S::rhs,
            .unit = S::unit,
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
FmmStages fmm_stages(Kernel kernel, Outputs outputs, bool near_in_single = false);

}  // namespace nearfar::detail
