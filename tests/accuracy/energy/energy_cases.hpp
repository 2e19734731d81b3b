// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/cases.hpp"

#include <array>

namespace nearfar::accuracy {

/// Relative errors of an energy, and of a virial: the largest difference by the largest number.
struct EnergyErrors {
  double energy = 0, virial = 0;
};

/// Judges energies and virials of `count` charges by those of a solve to 1e-12 with the other split, whose golden
/// values tests know. That is kept for the next case with the same charges.
class EnergyJudge {
 public:
  EnergyJudge(std::size_t count, unsigned seed) : count_(count), seed_(seed) {}

  EnergyErrors errors(Runtime const& runtime, Case const& c);

 private:
  std::size_t count_;
  unsigned seed_;
  Case judged_{};  ///< for which `exact_` is
  std::array<double, 7> exact_{};
};

/// Every periodicity, distribution, precision and sign at these tolerances.
std::vector<Case> energy_cases(std::vector<double> const& tolerances);

}  // namespace nearfar::accuracy
