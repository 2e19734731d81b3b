// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/hunt/problem.hpp"

#include <array>
#include <optional>
#include <vector>

namespace nearfar::hunt {

/// What a solve found.
struct Answer {
  std::vector<double> rows;
  double told = 0;  ///< its error, by its report or its plan
  std::optional<double> energy{};
  double energy_told = 0;  ///< the energy's error
  std::optional<std::array<double, 6>> virial{};
  double virial_told = 0;
};

/// Relative errors: infinite where the exact number is zero, as derivatives are in crystals, and the answer is more
/// than rounding.
struct Errors {
  double rows = 0;  ///< of the worst output, l2
  double energy = 0;
  double virial = 0;  ///< the largest difference by the largest number

  double of_energies() const;
  double worst() const;
  char const* which() const;  ///< the worst, for who reads the log
};

/// Energies only where the problem has them judged.
Errors errors_of(Problem const& problem, Answer const& found, Answer const& exact);

}  // namespace nearfar::hunt
