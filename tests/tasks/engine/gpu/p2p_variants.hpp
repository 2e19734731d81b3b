// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/p2p/p2p_buffers.hpp"

#include <vector>

namespace nearfar::test {

/// One of several shapes of the GPU's P2P program for combined Stokes sums: targets of a tile, pairs of a thread at
/// once, tiles on a multiprocessor.
struct P2PVariant {
  int tile, at_once, resident;
  void (*launch)(Buffers const& buffers, P2PArgs const& args);  ///< on the default stream
};

/// Those that are worth a trial where pairs are summed in precision A; the first is what P2P runs.
template <class A>
std::vector<P2PVariant> p2p_variants();

}  // namespace nearfar::test
