// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/error/far_model.hpp"

#include <algorithm>

namespace nearfar {

namespace {

FarSquare worse(FarSquare const& a, FarSquare const& b) {
  return {std::max(a.random, b.random), std::max(a.lattice, b.lattice), a.noise + b.noise};
}

}  // namespace

FarSquare FarModel::truncation() const {
  return pressure_ ? worse(field_.truncation(), pressure_->truncation()) : field_.truncation();
}

FarSquare FarModel::aliasing(WindowShape const& window) const {
  return pressure_ ? worse(field_.aliasing(window), pressure_->aliasing(window)) : field_.aliasing(window);
}

FarSquare FarModel::rounding(WindowShape const& window, double epsilon) const {
  FarSquare const field = field_.rounding(window, epsilon);
  return pressure_ ? worse(field, pressure_->rounding(window, epsilon)) : field;
}

}  // namespace nearfar
