// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/kernel_sums.hpp"
#include "core/tree/tree.hpp"

#include <nearfar/fmm.hpp>

namespace nearfar {

/// Throws Error{bad_input} for options that make no sense, each with what would. T is the precision of the plan.
template <class T>
void check_options(FmmOptions const& options);

/// The finest tolerance and the highest order in this precision.
template <class T>
double finest_fmm_tolerance() noexcept;
template <class T>
int highest_fmm_order() noexcept;

/// Expected relative l2 error of a sum over points with random charges of both signs, the harder case for potentials;
/// the larger one of potential and gradient where there is one (fmm.md, Sec. 1.7, and measured beyond its tables).
double fmm_error(FmmOptions const& options, int order, int separation);

/// By how much errors grow where leaves hold fewer points than those of the tables: the near part is then less of the
/// sum.
double sparse_leaves(double crowd) noexcept;

/// The least order that reaches the tolerance; 0 if none does.
template <class T>
int order_for(FmmOptions const& options, int separation);

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

/// Chooses what the options leave open by expected cost. `keys` are the sources' on level `level`.
template <class T>
FmmChoice choose_fmm(FmmOptions const& options, SortedKeys const& keys, int level);

/// The same for `count` points spread evenly over a cube.
template <class T>
FmmChoice choose_fmm_for_uniform(FmmOptions const& options, double count);

}  // namespace nearfar
