// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/virial.hpp"
#include "core/plan/fmm/choice.hpp"
#include "tasks/fmm/point_set.hpp"

namespace nearfar::detail {

/// What follows from order and separation, made once: the operators, as handles that solves share.
template <class T>
struct FmmSetup {
  FmmSetup(FmmOptions const& options, int order, int separation);

  int order, separation;
  Boundary boundary;
  double softening;  ///< in the caller's unit; 0: none
  FmmFlops flops;
  std::vector<T> operator_memory;
  std::vector<double> lattice_memory, check_memory;
  double lattice_constant = 0, check_constant = 0;  ///< with the images of lattice and check_lattice
  Data operators;
  Data lattice;  ///< none without periods
  std::vector<double> strain_memory;
  std::array<double, virial_size> constant_by_strain{};  ///< of lattice_constant, for a virial
  Data lattice_by_strain;                                ///< none without periods and a virial
  Data check_lattice;                                    ///< the same, excluding one more image to either side
};

}  // namespace nearfar::detail
