// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/ewald/error/field_model.hpp"

#include <optional>

namespace nearfar {

/// The far part of a sum over random points: of all results of a kernel, each of which keeps the tolerance by itself.
/// The pressure of a flow has a multiplier of its own, and so a model of its own. Squares of relative errors are those
/// of the worse one.
class FarModel {
 public:
  /// `shape(base)`: the split for that multiplier. Otherwise as FieldModel.
  template <class Shape>
  FarModel(std::array<double, 3> const& box, std::array<int, 3> const& grid, double cutoff,
           KernelDescription const& kernel, double screening, Shape const& shape, double sources, int free, double mean,
           PlaneSpacing const& planes)
      : field_(box, grid, cutoff, far_field(kernel, screening), shape(kernel.base), sources, free, mean, planes) {
    if (!kernel.table.pressure) return;
    FarField const pressure = far_pressure(kernel);
    pressure_.emplace(box, grid, cutoff, pressure, shape(pressure.base), sources, free, mean, planes);
  }

  FarSquare truncation() const;
  FarSquare aliasing(WindowShape const& window) const;
  FarSquare rounding(WindowShape const& window, double epsilon) const;
  double slope_of_constant(WindowShape const& window, double epsilon, int derivative) const {
    return field_.slope_of_constant(window, epsilon, derivative);
  }
  int slopes() const noexcept { return field_.slopes(); }
  double fineness() const noexcept { return field_.fineness(); }

 private:
  FieldModel field_;
  std::optional<FieldModel> pressure_;
};

}  // namespace nearfar
