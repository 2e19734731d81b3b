// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/flops.hpp"
#include "tasks/fmm_tree.hpp"

namespace nearfar::detail {

/// Flops of each task of a multipole solve, from the lists: what cost models are keyed on.
struct FmmCosts {
  FmmTree const& tree;
  int order, rhs, vectors;
  double pair;  ///< flops of one pair of points and one vector of strengths

  double bin(int b) const { return double(vectors) * tree.block(b).sources; }
  double merge(int b) const { return 2.0 * vectors * tree.block(b).targets; }
  double moment(int b) const { return 12.0 * vectors * tree.block(b).sources; }
  double field(int b) const { return 20.0 * vectors * tree.block(b).targets; }
  double p2m(int b) const { return rhs * p2m_flops(order) * tree.block(b).sources; }
  double l2p(int b) const { return rhs * l2p_flops(order) * tree.block(b).targets; }
  double m2m(int b) const { return rhs * m2m_flops(order) * tree.lists(b).m2m.work; }
  double l2l(int b) const { return rhs * m2m_flops(order) * tree.lists(b).l2l.work; }
  double m2l(int b) const { return rhs * m2l_flops(order) * tree.lists(b).m2l.work; }
  double m2p(int b) const { return rhs * m2p_flops(order) * tree.lists(b).m2p.work; }
  double p2l(int b) const { return rhs * p2l_flops(order) * tree.lists(b).p2l.work; }
  double p2p(int b) const { return vectors * pair * tree.lists(b).p2p.work; }
  double lattice() const { return rhs * lattice_flops(order); }
};

}  // namespace nearfar::detail
