// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/choice.hpp"
#include "tasks/fmm_points.hpp"

namespace nearfar::detail {

/// What follows from order and separation, made once: the operators, as handles that solves share.
template <class T>
struct FmmSetup {
  FmmSetup(FmmOptions const& options, int order, int separation);

  int order, separation;
  Boundary boundary;
  FmmFlops flops;
  std::vector<T> operator_memory, lattice_memory;
  Data operators;
  Data lattice;  ///< none where nothing repeats
};

}  // namespace nearfar::detail
