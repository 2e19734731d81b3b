// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/green.hpp"
#include "core/kernels/kernels.hpp"
#include "core/spectral/mode_operators.hpp"

namespace nearfar {

/// The influence function of a kernel's far part `Far`. The table of multipliers
/// (codelets/spectral/scale/multipliers.hpp) is zero beyond the band and at the highest modes of even transforms; at k
/// = 0 it holds only the scaling, and zero_mode the rest. With a pressure, whose multiplier is another one, a mode has
/// two.
template <class T, class Far>
struct FarOperator {
  using Number = T;
  static constexpr int in = Far::in, out = Far::out;
  static constexpr int numbers = Far::table.pressure ? 2 : 1;
  static constexpr bool falls = true;
  static constexpr bool is_rare = Far::table.pressure;
  static constexpr auto name() { return Far::name; }

  T zero_mode[4] = {};  ///< one for each input component
  static_assert(in <= 4);

  NEARFAR_FUNCTION void apply(T const* multiplier, Mode<T> const& mode, T* re, T* im) const {
    T const inverse = mode.squared > 0 ? T(1) / mode.squared : T(0);
    for (int m = 0; m < in; ++m) {
      T const factor = mode.squared > 0 ? T(1) : zero_mode[m];
      re[m] *= factor;
      im[m] *= factor;
    }
    Far::apply(FormulaGreen<T>{*multiplier, mode.k, inverse, numbers > 1 ? multiplier[numbers - 1] : T(0)}, re, im);
  }
};

}  // namespace nearfar
