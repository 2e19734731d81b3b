// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_points.hpp"

#include <nearfar/ewald.hpp>

#include <string>
#include <vector>

namespace nearfar {

/// A sum to compute: what the library and the oracle are both given.
struct System {
  Kernel kernel = Kernel::stokeslet;
  oracle::Box box{1, 1, 1};
  std::vector<double> sources, targets, strengths;
  Periodicity periodicity = Periodicity::xyz;

  bool gradient() const { return kernel == Kernel::laplace; }
  /// Those that the oracle has.
  Outputs outputs() const { return gradient() ? Output::potential | Output::gradient : Outputs(Output::velocity); }
};

/// Points uniform in the box. `coinciding` targets are the first sources, else they are points of their own.
/// With `single`, all numbers are floats, so that single precision computes the same sum.
System random_system(Kernel kernel, oracle::Box const& box, std::size_t sources, std::size_t targets, unsigned seed,
                     bool coinciding = true, bool single = false);

/// The oracle's sum over all images there are.
std::vector<double> whole_reference(System const& system,
                                    oracle::ZeroMode zero_mode = oracle::ZeroMode::zero_face_flux);

/// The exact far part of a plan's split: `whole` minus the near part of its profile, which for the Gaussian split goes
/// on beyond the cutoff (that the plan cuts it there is an error of the whole, not of the far part).
std::vector<double> far_reference(System const& system, std::vector<double> const& whole, Split split,
                                  EwaldPlanning const& parameters);

/// Prints and checks the relative l2 error of all columns that have a unit of their own: u, or phi and its gradient.
void check_error(std::string const& what, System const& system, std::vector<double> const& result,
                 std::vector<double> const& reference, double tolerance);

std::string describe(System const& system, Split split, EwaldPlanning const& parameters);

}  // namespace nearfar
