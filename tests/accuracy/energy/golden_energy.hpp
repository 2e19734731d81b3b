// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <array>
#include <string>
#include <vector>

namespace nearfar {

/// Energy and virial of some charges by another program (tests/oracle/golden/operators.json).
struct GoldenEnergy {
  std::string name;
  Periodicity periodicity;
  std::array<std::array<double, 3>, 3> cell;  ///< rows, 0 along free directions
  std::vector<double> sources, charges;
  double energy;
  std::array<double, 6> virial;  ///< xx, yy, zz, xy, xz, yz
};

std::vector<GoldenEnergy> golden_energies();

}  // namespace nearfar
