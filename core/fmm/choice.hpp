// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/errors.hpp"
#include "core/fmm/kernel_sums.hpp"
#include "core/tree/tree.hpp"

#include <nearfar/fmm.hpp>

namespace nearfar {

/// Throws Error{bad_input} for options that make no sense, each with what would. T is the precision of the plan.
template <class T>
void check_options(FmmOptions const& options);

/// What the arithmetic of the stages costs on this machine, on one CPU worker; measured once (tasks/fmm_rates.cpp), or
/// defaults. Seconds per flop, but for `link` and `particle`.
struct FmmRates {
  double pair = 1;         ///< P2P
  double translation = 1;  ///< M2L
  double link = 1;         ///< M2L: seconds per link and right-hand side, whatever the order
  double shift = 1;        ///< M2M, L2L
  double point = 1;        ///< P2M, L2P
  double evaluation = 1;   ///< M2P, P2L
  double particle = 1;     ///< bin, merge: seconds per point
};
template <class T>
FmmRates default_fmm_rates() noexcept;

/// Flops at one order: per pair of points, per link and right-hand side, per point, per point and box.
struct FmmFlops {
  double pair, m2l, m2m, l2l, p2m, l2p, m2p, p2l, lattice;
};
FmmFlops fmm_flops(Kernel kernel, bool gradient, int order) noexcept;

/// Seconds of one CPU worker at one order, for one charge vector: per pair, per link, per box that is shifted up or
/// down, per source and per target of leaves, per target and per source that meets an expansion of another box.
struct FmmSeconds {
  double pair, link, shift, source, target, m2p, p2l;
};
FmmSeconds fmm_seconds(Kernel kernel, bool gradient, int order, FmmRates const& rates) noexcept;

/// What a tree is expected to cost.
struct FmmChoice {
  int order = 1, separation = 1, depth = 0, capacity = 0;
  double stretch = 1;  ///< edge of the root by that of the least one
  double seconds = 0;
  double boxes = 0;
  double crowd = 0;  ///< points that a point finds in its leaf, itself included
  double error = 0;
};

/// Chooses what the options leave open by expected cost. `keys` are those of the points on level `level` of the
/// least root. Pure: the
/// same request and rates, the same answer.
template <class T>
FmmChoice choose_fmm(FmmOptions const& options, SortedKeys const& keys, int level, double targets,
                     FmmRates const& rates = default_fmm_rates<T>());

/// The same for `count` points spread evenly over a cube or cell.
template <class T>
FmmChoice choose_fmm_for_uniform(FmmOptions const& options, double count,
                                 FmmRates const& rates = default_fmm_rates<T>());

}  // namespace nearfar
