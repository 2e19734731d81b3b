// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/split.hpp"
#include "core/math/function.hpp"

namespace nearfar {

/// The influence function of one Fourier mode, by its formula: `m` is the multiplier with all scaling. Far parts of
/// kernels are written in terms of scalar, project and vector; TableGreen has the same from a table.
template <class T>
struct FormulaGreen {
  T m;
  T const* k;
  T inverse_k2;  ///< 0 at k = 0
  T m_of_pressure = T(0);

  NEARFAR_FUNCTION T scalar() const { return m; }
  /// f <- m (I - kk / k^2) f
  NEARFAR_FUNCTION void project(T f[3]) const {
    T const along = (k[0] * f[0] + k[1] * f[1] + k[2] * f[2]) * inverse_k2;
    for (int d = 0; d < 3; ++d) f[d] = m * (f[d] - along * k[d]);
  }
  /// m k
  NEARFAR_FUNCTION void vector(T out[3]) const {
    for (int d = 0; d < 3; ++d) out[d] = m * k[d];
  }
  /// The same with the multiplier of the pressure.
  NEARFAR_FUNCTION void pressure(T out[3]) const {
    for (int d = 0; d < 3; ++d) out[d] = m_of_pressure * k[d];
  }
};

/// The same from numbers of a table for wave vectors without negative components:
/// those that are odd along a direction change sign with that component.
template <class T, TableParts parts>
struct TableGreen {
  T const* m;
  T const* k;

  NEARFAR_FUNCTION T scalar() const { return m[0]; }
  NEARFAR_FUNCTION void project(T f[3]) const {
    T const* const t = m + parts.first_of_tensor();
    bool const nx = k[0] < 0, ny = k[1] < 0, nz = k[2] < 0;
    T const xy = nx != ny ? -t[3] : t[3], xz = nx != nz ? -t[4] : t[4], yz = ny != nz ? -t[5] : t[5];
    T const x = f[0], y = f[1], z = f[2];
    f[0] = t[0] * x + xy * y + xz * z;
    f[1] = xy * x + t[1] * y + yz * z;
    f[2] = xz * x + yz * y + t[2] * z;
  }
  NEARFAR_FUNCTION void vector(T out[3]) const { odd(m + parts.first_of_vector(), out); }
  NEARFAR_FUNCTION void pressure(T out[3]) const { odd(m + parts.first_of_pressure(), out); }

 private:
  NEARFAR_FUNCTION void odd(T const* v, T out[3]) const {
    for (int d = 0; d < 3; ++d) out[d] = k[d] < 0 ? -v[d] : v[d];
  }
};

}  // namespace nearfar
