// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/split/split_shape.hpp"
#include "core/ewald/window/window_function.hpp"

#include <vector>

namespace nearfar {

/// Charges in planes across one direction whose signs alternate, as in caesium chloride. The modes of their density are
/// the odd multiples of the first one, all equally strong. Spreading takes those beyond the grid for long waves where
/// they lie close to a multiple of its period, and a long wave of the same density has a large potential: 100 cells on
/// a grid of 302 have their third mode, 300, taken for mode 2.
class PlaneAliases {
 public:
  PlaneAliases() = default;
  /// `first`: wave number of the first mode; 0 for no planes. `edge`, `grid`: of that direction; `band`: the modes
  /// kept.
  PlaneAliases(double first, double edge, int grid, double band, SplitShape const& shape);

  /// What that is of the field at an ion, by root mean square; `half_width` of the window.
  double error(WindowFunction const& window, double half_width) const;

 private:
  struct Alias {
    double k, taken_for;
    double potential;  // at an ion, over the field there, were the window's transform the same at both
  };
  std::vector<Alias> aliases_;
};

}  // namespace nearfar
