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

/// Seconds per flop on one CPU worker: between points, of translations, and between points and expansions.
struct FmmRates {
  double pair = 1, translation = 1, point = 1;
};
template <class T>
FmmRates fmm_rates() noexcept;

/// Flops at one order: per pair of points, per link and right-hand side, per point, per point and box.
struct FmmFlops {
  double pair, m2l, m2m, l2l, p2m, l2p, m2p, p2l, lattice;
};
FmmFlops fmm_flops(Kernel kernel, bool gradient, int order) noexcept;

/// What a tree is expected to cost.
struct FmmChoice {
  int order = 1, separation = 1, depth = 0, capacity = 0;
  double seconds = 0;
  double boxes = 0;
  double crowd = 0;  ///< points that a point finds in its leaf, itself included
  double error = 0;
};

/// Chooses what the options leave open by expected cost. `keys` are those of the points on level `level`.
template <class T>
FmmChoice choose_fmm(FmmOptions const& options, SortedKeys const& keys, int level, double targets);

/// The same for `count` points spread evenly over a cube or cell.
template <class T>
FmmChoice choose_fmm_for_uniform(FmmOptions const& options, double count);

}  // namespace nearfar
