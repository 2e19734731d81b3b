// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/description.hpp"
#include "tasks/check/squares.hpp"

#include <cmath>

namespace nearfar::detail {

/// What an energy is off by if its fields are off at random: half a quadratic form of the strengths, of which pairs
/// count twice (ewald.md, Sec. 8).
class EnergyNoise {
 public:
  /// Of kernels that have an energy; of all sources.
  template <class T>
  EnergyNoise(KernelDescription const& kernel, Squares<T> const& strengths) {
    if (kernel.energy.charge >= 0) charges_ = strengths.sum_of_squares(kernel.energy.charge, 1);
    if (kernel.energy.moment >= 0) moments_ = strengths.sum_of_squares(kernel.energy.moment, 3);
  }

  /// `square`: of what this field is off by at a target, its mean.
  void add(Field const& field, long double square) {
    if (field.output == Output::potential) sum_ += charges_ * square;
    if (field.output == Output::gradient) sum_ += moments_ * square / field.size();
  }

  /// Three standard deviations.
  double error() const { return double(3 * std::sqrt(sum_ / 2)); }

 private:
  long double charges_ = 0, moments_ = 0, sum_ = 0;
};

}  // namespace nearfar::detail
