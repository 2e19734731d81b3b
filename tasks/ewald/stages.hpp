// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/images/images.hpp"
#include "codelets/near/p2p/p2p.hpp"
#include "codelets/spectral/g2p/g2p.hpp"
#include "codelets/spectral/p2g/p2g.hpp"
#include "core/kernels/description/description.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/ewald/plan.hpp"

#include <vector>

namespace nearfar::detail {

/// P2P of one kernel in a solve in precision T, with pairs in that precision or in single; of one vector of strengths,
/// or of two or four together where there is a stage for that.
template <class T>
Inserter<P2P<T, Laplace>> near_stage(KernelDescription const& kernel, bool in_single, int vectors);

/// What its virial sums over pairs that meet across a periodic face; throws std::logic_error if it has none.
template <class T>
Inserter<Images<T, LaplaceGradient>> image_stage(KernelDescription const& kernel, bool in_single);

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
