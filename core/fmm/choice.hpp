// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// The least order that reaches the tolerance; 0 if none does.
template <class T>
int order_for(FmmOptions const& options, int separation);

/// Right-hand sides of the kernel: expansions per box.
constexpr int fmm_right_hand_sides(Kernel kernel) noexcept { return kernel == Kernel::laplace ? 1 : 4; }

/// Seconds on one CPU worker: of a pair of points, of a flop of a translation, of a flop at a point.
struct FmmRates {
  double pair = 1, translation = 1, point = 1;
};
template <class T>
FmmRates fmm_rates(Kernel kernel, bool gradient) noexcept;

/// Flops of one pair of points in P2P (1 / sqrt(r) counted as 8).
double fmm_pair_flops(Kernel kernel, bool gradient) noexcept;

/// What a tree is expected to cost.
struct FmmChoice {
  int order = 1, separation = 1, depth = 0, capacity = 0;
  double seconds = 0;
  double boxes = 0;
  double error = 0;
};

/// Chooses what the options leave open by expected cost. `keys` are the sources' on level `level`.
template <class T>
FmmChoice choose_fmm(FmmOptions const& options, SortedKeys const& keys, int level);

/// The same for `count` points spread evenly over a cube.
template <class T>
FmmChoice choose_fmm_for_uniform(FmmOptions const& options, double count);

}  // namespace nearfar
