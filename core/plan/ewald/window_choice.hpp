// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/ewald/error/far_model.hpp"

namespace nearfar {

struct WindowChoice {
  WindowShape shape;
  FarSquare aliasing{};
  FarSquare rounding{};
};

/// The best shape of a window of `points` grid points, on a grid `finer` than the band needs, with arithmetic in T.
template <class T>
WindowChoice choose_window(FarModel const& model, Window window, int points, double finer);

/// Narrower windows cannot reach the tolerance; even.
int min_window_points(double tolerance) noexcept;

}  // namespace nearfar
