// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/split.hpp"
#include "core/math/function.hpp"

#include <string_view>

namespace nearfar {

/// A flow on the grid with its pressure, p = -i k.g with the Laplace multiplier: of a force g, 8 pi ghat / k^2 falls
/// faster than what makes the velocity, and a double layer's g holds its slopes already (ewald.md, Sec. 5.4).
template <class Velocity>
struct PressureFar {
  static constexpr std::string_view name = Velocity::name_with_pressure;
  static constexpr int in = Velocity::in, out = 4;
  static constexpr TableParts table = Velocity::table.with_pressure();

  template <class T, class Green>
  NEARFAR_FUNCTION static void apply(Green const& green, T* re, T* im) {
    T k[3];
    green.pressure(k);
    T const along_re = k[0] * re[0] + k[1] * re[1] + k[2] * re[2],
            along_im = k[0] * im[0] + k[1] * im[1] + k[2] * im[2];
    Velocity::apply(green, re, im);
    re[3] = along_im;
    im[3] = -along_re;
  }
};

/// A flow that has none: torques push no fluid apart.
template <class Velocity>
struct NoPressureFar {
  static constexpr std::string_view name = Velocity::name_with_pressure;
  static constexpr int in = Velocity::in, out = 4;
  static constexpr TableParts table = Velocity::table;

  template <class T, class Green>
  NEARFAR_FUNCTION static void apply(Green const& green, T* re, T* im) {
    Velocity::apply(green, re, im);
    re[3] = im[3] = T(0);
  }
};

}  // namespace nearfar
