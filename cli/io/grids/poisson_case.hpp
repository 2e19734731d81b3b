// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <string>

namespace nearfar::cli {

/// Densities whose potential in free space is known, in the middle of a box.
enum class PoissonCase {
  gaussian,  ///< a unit charge, its width a twentieth of the shortest edge
  sphere     ///< of density 4 pi, its radius the shortest edge / 2.4
};

PoissonCase poisson_case_from_name(std::string const& text);

/// The box that a case is known in.
std::array<double, 3> usual_box(PoissonCase which);

/// At one place.
struct PoissonValues {
  double density, potential;
  std::array<double, 3> field;
};
PoissonValues poisson_values(PoissonCase which, std::array<double, 3> const& box, std::array<double, 3> const& at);

}  // namespace nearfar::cli
