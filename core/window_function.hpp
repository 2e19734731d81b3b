// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/prolate.hpp"
#include "core/window.hpp"

#include <optional>

namespace nearfar {

/// A window with its constants worked out once; what window_value and its sisters evaluate.
class WindowFunction {
 public:
  explicit WindowFunction(WindowShape const& shape);

  long double value(long double t) const;
  long double derivative(long double t) const;
  double transform(double theta) const;

 private:
  Window window_;
  double shape_;
  long double centre_;              // I0(beta), for Kaiser-Bessel
  std::optional<Prolate> prolate_;  // for pswf
};

}  // namespace nearfar
