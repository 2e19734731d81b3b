// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/cases.hpp"

#include <array>

namespace nearfar::accuracy {

/// Relative errors of an energy, and of a virial: the largest difference by the largest number.
struct EnergyErrors {
  double energy = 0, virial = 0;
  bool told = false;  ///< whether the report says that the tolerance is missed
};

/// A sum whose energy and virial are wanted.
struct EnergyCase : Case {
  bool by_multipoles = false;
};

/// Judges energies and virials of `count` charges or dipoles by those of an Ewald sum to 1e-12 with the other split,
/// whose golden values tests know. That is kept for the next case with the same points and strengths.
class EnergyJudge {
 public:
  EnergyJudge(std::size_t count, unsigned seed) : count_(count), seed_(seed) {}

  EnergyErrors errors(Runtime const& runtime, EnergyCase const& c);

 private:
  std::size_t count_;
  unsigned seed_;
  EnergyCase judged_{};  ///< for which `exact_` is
  std::array<double, 7> exact_{};
};

/// Every kernel that has a virial, method, periodicity, distribution, precision and sign at these tolerances.
std::vector<EnergyCase> energy_cases(std::vector<double> const& tolerances);

}  // namespace nearfar::accuracy
