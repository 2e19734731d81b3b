// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/influence.hpp"
#include "core/kernels/kernel_layers.hpp"
#include "core/spectral/mode_operators.hpp"

#include <string>

namespace nearfar {

/// A kernel's far part by its influence function, a table of influence_numbers(K) (core/ewald/influence.hpp) for
/// wave vectors without negative components; numbers that are odd along a direction change sign with that component.
template <class T, Kernel K>
struct InfluenceOperator {
  using Number = T;
  static constexpr int in = forward_components(K), out = inverse_components(K);
  static constexpr int numbers = influence_numbers(K);
  static constexpr bool falls = false;
  static std::string name() { return "table_" + std::string(nearfar::name(K)); }

  NEARFAR_FUNCTION void apply(T const* m, Mode<T> const& mode, T* re, T* im) const {
    if constexpr (K == Kernel::laplace) {
      re[0] *= m[0];
      im[0] *= m[0];
    } else {
      bool const x = mode.k[0] < 0, y = mode.k[1] < 0, z = mode.k[2] < 0;
      T const mixed[3] = {x != y ? -m[3] : m[3], x != z ? -m[4] : m[4], y != z ? -m[5] : m[5]};
      multiply(m, mixed, re);
      multiply(m, mixed, im);
      if constexpr (in == 4) {
        T const odd[3] = {x ? -m[6] : m[6], y ? -m[7] : m[7], z ? -m[8] : m[8]};
        for (int d = 0; d < 3; ++d) {
          re[d] -= odd[d] * im[3];
          im[d] += odd[d] * re[3];
        }
      }
    }
  }

 private:
  /// Multiplies by the symmetric tensor with these diagonal and off-diagonal elements.
  NEARFAR_FUNCTION static void multiply(T const* diagonal, T const mixed[3], T f[3]) {
    T const x = f[0], y = f[1], z = f[2];
    f[0] = diagonal[0] * x + mixed[0] * y + mixed[1] * z;
    f[1] = mixed[0] * x + diagonal[1] * y + mixed[2] * z;
    f[2] = mixed[1] * x + mixed[2] * y + diagonal[2] * z;
  }
};

}  // namespace nearfar
