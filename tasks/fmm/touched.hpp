// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/fmm/tree.hpp"

#include <vector>

namespace nearfar::detail {

/// Which blocks' expansions and strengths the tasks of one rank read or write: of a thousand ranks each has handles for
/// few of them. Without ranks, all.
struct FmmTouched {
  FmmTouched(FmmTree const& tree, int rank)
      : multipole(std::size_t(tree.blocks()), rank == everywhere), local(multipole), strengths(multipole) {
    if (rank == everywhere) return;
    auto const add = [](std::vector<bool>& touched, std::vector<std::int32_t> const& blocks) {
      for (std::int32_t b : blocks) touched[std::size_t(b)] = true;
    };
    for (int b = 0; b < tree.blocks(); ++b) {
      if (tree.owner(b) != rank) continue;
      multipole[std::size_t(b)] = local[std::size_t(b)] = strengths[std::size_t(b)] = true;
      BlockLists const& lists = tree.lists(b);
      for (Gather const* gather : {&lists.m2m, &lists.m2l, &lists.m2p}) add(multipole, gather->blocks);
      add(local, lists.l2l.blocks);
      for (Gather const* gather : {&lists.p2p, &lists.p2l}) add(strengths, gather->blocks);
    }
  }

  std::vector<bool> multipole, local, strengths;
};

}  // namespace nearfar::detail
