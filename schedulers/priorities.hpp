// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string_view>

namespace nearfar {

/// Tasks that nothing but the last merge waits for: they fill the gaps of the others.
inline constexpr int filler_priority = 0;

/// Priorities of the stages, the whole of the overlap: the far-field chain first, the nearer to its middle the more
/// tasks wait for it; P2P, which nothing but the last merge waits for, fills the gaps. Without them every scheduler
/// loses a third. All are between filler_priority and heteroprio's number of buckets (schedulers/heteroprio.hpp).
constexpr int priority_of(std::string_view stage) {
  if (stage == "bin") return 5;      // both branches wait for it, and it is short
  if (stage == "scale") return 4;    // needs all slabs, and all slabs need it
  if (stage == "fft") return 3;      // opens the transposes
  if (stage == "p2g") return 2;      // feeds the transforms
  if (stage == "ifft") return 3;     // ends the transposes
  if (stage == "g2p") return 1;      // last of the chain
  if (stage == "merge") return 5;    // frees its block, and it is short
  if (stage == "collect") return 5;  // like merge
  if (stage == "moment") return 1;   // only the merges wait for these two, and they are short
  if (stage == "moments") return 1;
  if (stage == "p2m") return 4;  // the upward pass holds everything up
  if (stage == "m2m") return 4;
  if (stage == "lattice") return 4;  // all locals of a periodic cell wait for it
  if (stage == "m2l") return 1;      // the bulk of the far part, submitted from the top down
  if (stage == "p2l") return 1;
  if (stage == "l2l") return 3;     // opens the level below
  if (stage == "l2p") return 2;     // ends the chain
  if (stage == "m2p") return 0;     // nothing but the last merge waits for it
  if (stage == "dipole") return 1;  // only the merges wait for these three, and they are short
  if (stage == "dipoles") return 1;
  if (stage == "cell") return 1;
  return 0;  // p2p, direct: filler_priority
}

/// Stages that only merges wait for, at the end of the far part.
constexpr bool ends_the_far_part(std::string_view stage) { return stage == "g2p" || stage == "l2p"; }

/// Stages that both parts of a solve begin with.
constexpr bool opens_both_parts(std::string_view stage) { return stage == "bin"; }

/// Stages that a GPU should be kept for where a scheduler shares stages out without measured times: the bulk of the
/// work of a solve, and the most of it for each number that is moved. GPUs can run others too, whose tasks are so short
/// there that starting them takes longer.
constexpr bool suits_gpus(std::string_view stage) { return stage == "p2p" || stage == "m2l"; }

}  // namespace nearfar
