// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/clumping.hpp"
#include "core/window.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar {

/// What the arithmetic of a stage costs on this machine, on one CPU worker; measured once
/// (tasks/rates.cpp), or these defaults.
struct Rates {
  double pair = 5e-9;            ///< P2P: seconds per pair within the cutoff, at polynomial degree 16
  double pair_degree = 1.5e-10;  ///< P2P: more seconds per pair and per degree above 16
  double near_point = 1e-7;      ///< P2P: seconds per target, however few its pairs
  double spread = 1.2e-10;       ///< P2G: seconds per point, component and grid point of its window (P^3 of them)
  double spread_point = 8e-8;    ///< P2G: seconds per point
  double gather = 1.2e-10;       ///< G2P: likewise
  double gather_point = 8e-8;
  double grid = 2e-8;  ///< fft + scale + ifft: seconds per grid point and component
};

/// Significant digits a precision can give: the finest tolerance that is accepted.
template <class T>
double finest_tolerance() noexcept;  // 1e-12 (double), 1e-5 (float)

/// Chooses everything in EwaldParameters from the tolerance alone, by the least predicted time, for `sources` and
/// `targets` that lie as `clumping` says; what `options` sets by hand is kept. Pure: the same request and rates, the
/// same answer. Throws Error{bad_input} with what would be right.
template <class T>
EwaldParameters choose_parameters(EwaldOptions const& options, std::size_t sources, std::size_t targets,
                                  Rates const& rates, Clumping const& clumping = {});

/// Relative l2 error of the far part for random points (root mean square over the modes): what the band leaves out,
/// what the window aliases, and rounding. The model behind choose_parameters. What a source does to itself matters for
/// few points: `options.count` tells how many sources there are, 0 means many.
template <class T = double>
double estimate_far_error(EwaldOptions const& options, EwaldParameters const& parameters);

/// Absolute error for make_near_kernel, make_far_multiplier and make_window_table that the tolerance does not notice.
double fit_error(double tolerance) noexcept;

/// The window of a plan.
WindowShape window_shape(EwaldOptions const& options, EwaldParameters const& parameters) noexcept;

}  // namespace nearfar
