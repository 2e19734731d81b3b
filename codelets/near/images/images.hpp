// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/source_handles.hpp"
#include "codelets/common/stages.hpp"
#include "codelets/common/variants.hpp"
#include "codelets/near/images/images_body.hpp"

namespace nearfar {

/// In reports and traces, what it does is a part of this stage.
inline constexpr char const* images_belong_to = "p2p";

/// What a virial needs of pairs within the cutoff beside the forces on all points (docs/ewald.md, Sec. 8): with r = x -
/// y - s, and x and y the coordinates of the near part, sums of f_a s_b over the pairs of a chunk of targets that meet
/// across a periodic face. Few do, so that one plain body serves all kernels; pairs are summed in T.
template <class T, class K, class A = T>
struct Images {
  using Args = P2PArgs;
  using Accesses = AccessList<Read,                 // tables
                              Read,                 // target positions
                              Read,                 // target cell offsets
                              ReadEach<Neighbour>,  // rough source positions, cell offsets, packed sources
                              Write>;               // the sums
  static constexpr char const* name = images_belong_to;
  static constexpr Gpus gpus = Gpus::with_all;  ///< unlike the stage itself
  static char const* symbol();

  static void portable(Buffers const& buffers, Args const& args);
  static void tuned(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
