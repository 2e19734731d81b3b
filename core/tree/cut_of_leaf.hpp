// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/tables.hpp"

#include <cmath>

namespace nearfar {

/// How GPUs cut the pairs of a leaf in P2P, so that pieces of a task have about equally many. Sources are split only
/// where a piece would have too few targets to make loading a source worthwhile.
struct CutOfLeaf {
  int parts, splits;

  /// `pairs`: those of all leaves of the task. `targets`, `sources`: of this one.
  NEARFAR_FUNCTION CutOfLeaf(double pairs, double targets, double sources) {
    constexpr double fewest_targets = 32, fewest_sources = 256;
    double const share = pairs / pair_pieces, here = at_least_1(sources), wanted = share / here,
                 size = wanted < fewest_targets  ? fewest_targets
                        : wanted > piece_targets ? double(piece_targets)
                                                 : wanted,
                 pieces = ceil(at_least_1(targets / size)), most = at_least_1(here / fewest_sources),
                 split = ceil(at_least_1(targets / pieces * here / at_least_1(share)));
    parts = int(pieces);
    splits = int(split < most ? split : most);
  }
  NEARFAR_FUNCTION int pieces() const { return parts * splits; }

 private:
  NEARFAR_FUNCTION static double at_least_1(double x) { return x < 1 ? 1 : x; }
};

}  // namespace nearfar
