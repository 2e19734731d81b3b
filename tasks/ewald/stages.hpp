// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/p2p/p2p.hpp"
#include "codelets/spectral/g2p/g2p.hpp"
#include "codelets/spectral/p2g/p2g.hpp"
#include "core/kernels/description.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/ewald/plan.hpp"

#include <vector>

namespace nearfar::detail {

/// P2P of one kernel in a solve in precision T, with pairs in that precision or in single, and if wanted with the sums
/// of a virial.
template <class T>
Inserter<P2P<T, Laplace>> near_stage(KernelDescription const& kernel, bool in_single, bool virial);

/// The stages of one kernel's far part in precision A: the graph is the same for all kernels.
template <class A>
struct FarStages {
  Inserter<P2G<A, Spreading::plain>> p2g;
  /// fft -> scale -> ifft, by the formula of the influence function or by its table; `is_sent`: for each slab, whether
  /// another rank reads it. `sums`: over the modes of each group of columns (FarVirialOperator), or none.
  void (*transform)(Graph&, FarSetup<A> const&, bool by_table, EwaldWorkspace const&, std::vector<bool> const& is_sent,
                    std::vector<Handle> const& sums);
  Inserter<G2P<A, Laplace::Gather>> g2p;
};
template <class A>
FarStages<A> far_stages(KernelDescription const& kernel);

}  // namespace nearfar::detail
