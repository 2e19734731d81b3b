// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/options.hpp"
#include "core/ewald/tolerances.hpp"
#include "core/ewald/window/window.hpp"
#include "core/kernels/description/row_shape.hpp"
#include "core/plan/ewald/clustering.hpp"
#include "core/plan/ewald/error/far_square.hpp"
#include "core/plan/machine.hpp"

#include <nearfar/ewald.hpp>

#include <array>

namespace nearfar {

/// Chooses everything in EwaldPlanning from the tolerance alone, by the least predicted time on `machine`, for
/// `sources` and `targets` that lie as `clustering` says; what `options` sets by hand is kept. Pure: the same request
/// and machine, the same answer. Throws Error{bad_input} with what would be right.
template <class T>
EwaldPlanning choose_parameters(EwaldOptions const& options, std::size_t sources, std::size_t targets,
                                Clustering const& clustering = {}, Machine const& machine = {});

/// Relative l2 error of the far part for random points (root mean square over the modes): what the band leaves out,
/// what the window aliases, and rounding, of single precision where that is the far part's. The model behind
/// choose_parameters. `options.count` is the number of sources; 0 means many. With few sources,
/// the error in the field of a source at its own place matters, and their field is often weaker than the mean field
/// that the other errors are relative to.
template <class T = double>
double estimate_far_error(EwaldOptions const& options, EwaldPlanning const& parameters);

/// The same, not relative to the field, and with pairs in single precision: mean squares over the targets for
/// `options.count` sources whose strengths have squares that add up to 1.
template <class T>
FarNoise estimate_noise(EwaldOptions const& options, EwaldPlanning const& parameters);

/// Screened charges that repeat in all directions have a mean potential, 4 pi / (lambda^2 V) times their sum. What is
/// spread adds up to that of each charge but for the window's images at k = 0 and for rounding: where charges add up to
/// little, and lambda is small, far more than the rest of the error, and alike at all targets. Mean squares of it for
/// squares of charges that add up to 1: of the images, which are off at random, and of rounding.
struct WrongSum {
  double images = 0, rounding = 0;
};
template <class T>
WrongSum estimate_wrong_sum(EwaldOptions const& options, EwaldPlanning const& parameters);

/// Mean squares of the derivatives that the far part finds of a potential that is 1 everywhere, by the number of
/// derivatives; 0 where none are gathered. In long boxes charges of one sign have such a potential, far larger than
/// that of charges without a pattern.
template <class T>
std::array<double, max_derivatives + 1> estimate_slopes(EwaldOptions const& options, EwaldPlanning const& parameters);

/// Whether the far part of a solve in double precision may be in single: where that is asked for, or the tolerance
/// allows it.
bool may_be_far_in_single(EwaldOptions const& options) noexcept;

/// What fit_error (core/ewald/tolerances.hpp) is for others, for make_window_table. What a window's values are off by
/// acts like rounding, and wide windows amplify it: modes are divided by the square of the window's transform, which
/// may be very small at the end of the band.
double window_fit_error(EwaldOptions const& options, EwaldPlanning const& parameters);

}  // namespace nearfar
