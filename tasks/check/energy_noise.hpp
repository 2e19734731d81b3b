// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/description.hpp"
#include "tasks/check/squares.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

/// What an energy is off by if its fields are off at random: half a quadratic form of the strengths, of which pairs
/// count twice (ewald.md, Sec. 8).
class EnergyNoise {
 public:
  /// Of kernels that have an energy; of all sources.
  template <class T>
  EnergyNoise(KernelDescription const& kernel, Squares<T> const& strengths) {
    if (kernel.energy.charge >= 0) {
      charges_ = strengths.sum_of_squares(kernel.energy.charge, 1);
      charge_ = strengths.rows() * std::sqrt(strengths.square_of_mean(kernel.energy.charge));
    }
    if (kernel.energy.moment >= 0) moments_ = strengths.sum_of_squares(kernel.energy.moment, 3);
  }

  /// `square`: of what this field is off by at a target, its mean.
  void add(Field const& field, long double square) {
    if (field.output == Output::potential) sum_ += charges_ * square;
    if (field.output == Output::gradient) sum_ += moments_ * square / field.size();
  }

  /// The same of a potential that may be off by as much at all targets alike.
  void add_common(Field const& field, long double square) {
    if (field.output == Output::potential) common_ += std::sqrt(square) * charge_ / 2;
  }

  /// Three standard deviations, and what is common.
  double error() const { return double(3 * std::sqrt(sum_ / 2) + common_); }

 private:
  long double charges_ = 0, charge_ = 0, moments_ = 0;  ///< of strengths: squares, the sum of charges, squares
  long double sum_ = 0, common_ = 0;
};

/// What a virial of an Ewald sum is off by at random, where its energy is by 1. A mode's energy e_k counts in W_ab as
/// e_k (1_ab - 2 n_a n_b (1 + k^2 / 4 xi^2)) (ewald.md, Sec. 8), windows are off most in the highest modes, where
/// exp(-k^2 / 4 xi^2) is the tolerance, and n_a^2 is 5^(-1/2) in the mean square over all directions.
inline double virial_of_energy_noise(double tolerance) {
  return 2 / std::sqrt(5.0) * (1 + std::log(1 / std::min(tolerance, 1.0)));
}

}  // namespace nearfar::detail
