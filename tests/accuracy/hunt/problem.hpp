// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/accuracy/measure.hpp"

#include <nearfar/fmm.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace nearfar::hunt {

/// A sum that somebody could ask for: random or in order, as no table of measured cases has it.
struct Problem {
  bool fmm = false;
  bool single = false;     ///< all numbers are floats then
  bool announced = false;  ///< the plan is told how many points there will be, before it sees them
  double tolerance = 1e-6;
  Split split = Split::pswf;
  System system;
  Outputs outputs;
  std::optional<double> screening{};
  bool of_any_kernel = false;  ///< perhaps of one that the oracle lacks
  bool has_energies = false;   ///< energies are judged, too, of sources that are their own targets
  bool virial = false;
  int vectors = 1, judged = 0;  ///< so many vectors of strengths are solved at once, and this one is the system's
  std::optional<std::array<std::array<double, 3>, 3>> cell{};  ///< instead of the system's box
  EwaldOptions ewald_by_hand;                                  ///< what is set in it
  FmmOptions fmm_by_hand;
  std::array<double, 3> offset{};                   ///< of all points
  bool as_views = false;                            ///< points are given as views of doubles
  bool left_open = false;                           ///< edges of free directions follow from the points
  std::string places, strengths, targets, unusual;  ///< what they are, for who reads the log
};

/// Of at most some `most` sources. The same for the same numbers, on every machine; `single`: in single precision,
/// whatever the number says of that.
Problem problem(std::uint64_t number, int most, bool single = false);

/// "1234: ewald, laplace, periodic xyz, double, tolerance 1e-06, 250 sources (crystal ...), 250 targets (the same)"
std::string describe(std::uint64_t number, Problem const& problem);

}  // namespace nearfar::hunt
