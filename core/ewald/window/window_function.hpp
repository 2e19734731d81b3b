// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/window/window.hpp"
#include "core/math/prolate.hpp"

#include <optional>

namespace nearfar {

/// A window with precomputed constants; window_value and its siblings evaluate it.
class WindowFunction {
 public:
  explicit WindowFunction(WindowShape const& shape);

  long double value(long double t) const;
  long double derivative(long double t) const;
  long double second(long double t) const;  // of a window that is used with second slopes
  double transform(double theta) const;

 private:
  long double known(long double t) const;  // the window with its step, up to a factor
  long double known_derivative(long double t) const;
  double known_transform(double theta) const;
  long double moment(long double t) const;  // int_t^1 s known(s) ds
  double moment_transform(double theta) const;
  long double second_moment(long double t) const;  // int_t^1 s moment(s) ds
  double second_moment_transform(double theta) const;
  long double unscaled(long double t) const;
  long double square_inside(long double t) const;  // of the argument of the Bessel functions

  Window window_;
  int slopes_;
  double shape_;
  std::optional<Prolate> prolate_;  // for pswf
  long double centre_ = 1;          // at t = 0, before scaling
};

}  // namespace nearfar
