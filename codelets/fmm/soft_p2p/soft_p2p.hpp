// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_p2p/fmm_p2p.hpp"

namespace nearfar {

struct SoftP2PArgs {
  FmmP2PArgs pairs;
  double softening_squared = 0;
};

/// FmmP2P with softened pairs, of kernels that may be softened: each pair for its target alone, in precision T.
template <class T, class K>
struct SoftP2P {
  using Args = SoftP2PArgs;
  using Accesses = typename FmmP2P<T, K>::Accesses;
  static constexpr auto name = FmmP2P<T, K>::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
