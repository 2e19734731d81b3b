// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/fmm/choice.hpp"
#include "tasks/fmm/tree.hpp"

namespace nearfar::detail {

/// Flops of each task of a multipole solve, from the lists: what cost models are keyed on.
struct FmmCosts {
  FmmTree const& tree;
  FmmFlops flops;
  int rhs, vectors;

  double bin(int b) const { return double(vectors) * tree.block(b).sources; }
  double merge(int b) const { return 2.0 * vectors * tree.block(b).targets; }
  double moment(int b) const { return 12.0 * vectors * tree.block(b).sources; }
  double field(int b) const { return 20.0 * vectors * tree.block(b).targets; }
  double p2m(int b) const { return vectors * flops.p2m * tree.block(b).sources; }
  double l2p(int b) const { return vectors * flops.l2p * tree.block(b).targets; }
  double m2m(int b) const { return rhs * flops.m2m * tree.lists(b).m2m.work; }
  double l2l(int b) const { return rhs * flops.l2l * tree.lists(b).l2l.work; }
  double m2l(int b) const { return rhs * flops.m2l * tree.lists(b).m2l.work; }
  double m2p(int b) const { return vectors * flops.m2p * tree.lists(b).m2p.work; }
  double p2l(int b) const { return vectors * flops.p2l * tree.lists(b).p2l.work; }
  double p2p(int b) const { return vectors * flops.pair * tree.lists(b).p2p.work; }
  double lattice() const { return rhs * flops.lattice; }
};

}  // namespace nearfar::detail
