// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <nearfar/kernel.hpp>

namespace nearfar {

inline constexpr int max_window_points = 20;
inline constexpr int window_row = 32;  ///< bins stored per degree: whole vectors of every SIMD width
inline constexpr int max_window_degree = 19;

/// SIMD bodies read and write rows of windows in steps of this many numbers: half a vector if vectors are long.
constexpr int window_row_step(int lanes) { return lanes >= 8 ? lanes / 2 : lanes; }

/// A window phi(t), t in [-1, 1], that covers `points` grid points; the shape is beta of Kaiser-Bessel (b = beta, not
/// b/P), c of pswf, a of Gaussian (ewald.md, Sec. 5.2). phi(0) = 1.
///
/// The windows w of these names end with a step. The slope of w does not contain this step, and ends with a larger step
/// of its own. Points on the nodes of the grid see that larger step all in phase. So where points are also spread or
/// gathered with slopes, the window is w1 = int_t^1 s w(s) ds, whose slope is -t w(t): for Kaiser-Bessel the window of
/// order 1, sqrt(1 - t^2) I1(b sqrt(1 - t^2)) (Lewitt, J. Opt. Soc. Am. A 7 (1990) 1834); for the Gaussian itself, less
/// its step. Where second slopes are taken it is int_t^1 s w1(s) ds, of order 2, (1 - t^2) I2(b sqrt(1 - t^2)).
struct WindowShape {
  Window window = Window::kaiser_bessel;
  int points = 8;
  double shape = 0;
  int slopes = 0;  ///< how often it is differentiated: 0, 1, 2
};

double window_value(WindowShape const& w, double t);
double window_derivative(WindowShape const& w, double t);  ///< d phi / dt
double window_second(WindowShape const& w, double t);  ///< d^2 phi / dt^2, of a window that is used with second slopes

/// int_{-1}^{1} phi(t) e^{-i theta t} dt: the transform at theta = k * P h / 2.
double window_transform(WindowShape const& w, double theta);

/// A Gaussian window for fast gridding (Greengard and Lee, SIAM Rev. 46 (2004) 443): with j = i - (P - 1) / 2, value i
/// is centre[i] e^{-alpha s^2 / 4} (e^{-alpha s})^j - step[i], so a point needs two exponentials. Zero from bin P on.
template <class T>
struct GaussianTable {
  double decay = 0;                       ///< alpha, that is 4 a / P^2; 0: the window is not a Gaussian
  alignas(64) T centre[window_row] = {};  ///< e^{-alpha j^2}, scaled to phi(0) = 1
  alignas(64) T step[window_row] = {};    ///< subtracted from all values in a window that is used with slopes
  alignas(64) T rise[window_row] = {};    ///< -2 alpha j: its logarithmic slope at s = 0
};

/// The data from which the weights of a point are computed (window_weights.hpp); plain data. A
/// point at x (in grid units) touches the grid points first = ceil(x - P/2) ... first + P - 1. With
/// offset = first - (x - P/2) in [0, 1), s = 2 offset - 1 and bin i at t = 2 (i + offset) / P - 1,
/// value i is sum_d value[d][i] s^d. Bins P..window_row-1 are zero. A Gaussian has its own table
/// instead, unless it is used with second slopes. `slope` gives d phi / d x_g, the derivative by the grid coordinate
/// x_g in units of h (minus that by the point's own coordinate), and `second` the second derivative; they are zero in a
/// window that is used without them.
template <class T>
struct WindowTable {
  int points = 0;
  int degree = 0;
  alignas(64) T value[max_window_degree + 1][window_row] = {};
  alignas(64) T slope[max_window_degree + 1][window_row] = {};
  alignas(64) T second[max_window_degree + 1][window_row] = {};
  GaussianTable<T> gaussian;
};

/// Smallest degree whose measured error is below `error`; if T cannot reach that, the best that it allows.
template <class T>
WindowTable<T> make_window_table(WindowShape const& w, double error);

}  // namespace nearfar
