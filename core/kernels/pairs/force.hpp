// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/field.hpp"
#include "core/math/function.hpp"

#include <span>

namespace nearfar {

/// Where charges and dipole moments stand in a row of strengths; -1: there are none. Plain data for arguments of tasks.
struct EnergyStrengths {
  int charge = -1, moment = -1;
};
constexpr EnergyStrengths energy_strengths(std::span<Field const> strengths) {
  EnergyStrengths at;
  int begin = 0;
  for (Field const& field : strengths) {
    (field.order() == 0 ? at.charge : at.moment) = begin;
    begin += field.size();
  }
  return at;
}

/// Those of a kernel: a value, since compilers for devices warn of the call in their functions.
template <class K>
inline constexpr EnergyStrengths energy_strengths_of = energy_strengths(K::strength_fields);

/// In a row of results: where gradient and Hessian (xx, xy, xz, yy, yz, zz) begin, and where d_a d_b phi is.
inline constexpr int slopes_at = 1, second_slopes_at = 4;
NEARFAR_FUNCTION constexpr int second_slope_at(int a, int b) {
  int const low = a < b ? a : b;
  return second_slopes_at + low * (5 - low) / 2 + (a + b - low);
}

/// The force along axis a on a point of these strengths in this field: -q d_a phi - sum over b of p_b d_a d_b phi.
template <class V, class Strength, class Result>
NEARFAR_FUNCTION V force_along(EnergyStrengths const& at, int a, Strength const& strength, Result const& result) {
  V force(0);
  if (at.charge >= 0) force = force - strength(at.charge) * result(slopes_at + a);
  for (int b = 0; b < 3 && at.moment >= 0; ++b) force = force - strength(at.moment + b) * result(second_slope_at(a, b));
  return force;
}

}  // namespace nearfar
