// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/flow_results.hpp"
#include "core/math/function.hpp"

namespace nearfar {

/// Pairs with pressure and velocity gradient within the cutoff, u[0 .. 2], p = u[3], d_m u_j = u[4 + 3j + m]
/// (docs/ewald.md, Sec. 1.4). In terms of b = 1/r^3 - B, c and c' / r = F of near_kernel.hpp and of d = -(6b + 2c) /
/// r^2; no factor is a higher power of 1/r than that, since sources may be very close in single precision.
namespace flow_pairs {

/// b, c, d, F and 1/r^2 from the layers of the slope, the curvature and its bend.
template <class V>
NEARFAR_FUNCTION void slope_factors(V slope, V curvature, V inverse, V* factor) {
  V const inverse2 = inverse * inverse, b = inverse2 * inverse - slope;
  factor[0] = b;
  factor[1] = curvature;
  factor[2] = (V(-6) * b - (curvature + curvature)) * inverse2;
}
template <class V>
NEARFAR_FUNCTION void bend_factors(V slope, V curvature, V bend, V inverse, V* factor) {
  slope_factors(slope, curvature, inverse, factor);
  factor[3] = bend;
  factor[4] = inverse * inverse;
}

/// gradient += left r^T + right g^T + diagonal I
template <class V>
NEARFAR_FUNCTION void add_matrix(V const* left, V const* r, V const* right, V const* g, V diagonal, V* gradient) {
  for (int j = 0; j < 3; ++j) {
    for (int m = 0; m < 3; ++m) gradient[3 * j + m] = gradient[3 * j + m] + (left[j] * r[m] + right[j] * g[m]);
    gradient[4 * j] = gradient[4 * j] + diagonal;
  }
}

/// A force f, with `a` as in the velocity: u = a f + b (f.r) r, p = 2b f.r.
template <class V>
NEARFAR_FUNCTION void add_force(V a, V const* factor, V const* r, V const* f, V* u) {
  V const b = factor[0], c = factor[1], along = r[0] * f[0] + r[1] * f[1] + r[2] * f[2], radial = b * along,
          steep = V(0.5) * factor[2] * along, shear = c - b;
  V left[3], right[3];
  for (int j = 0; j < 3; ++j) {
    u[j] = u[j] + a * f[j] + radial * r[j];
    left[j] = shear * f[j] + steep * r[j];
    right[j] = b * r[j];
  }
  u[pressure_at] = u[pressure_at] + (radial + radial);
  add_matrix(left, r, right, f, radial, u + gradient_at);
}

/// A double layer: with h = (r.n) q + (r.q) n, s = (r.q)(r.n) and t = q.n,
/// u = c h + (c t + d s) r, p = 4b t + 2d s, and
/// gradient = c (q n^T + n q^T) + (c t + d s) I + [F (t r + h) - (2F + 5d) s r / r^2] r^T + d r h^T.
template <class V>
NEARFAR_FUNCTION void add_double_layer(V const* factor, V const* r, V const* q, V const* n, V* u) {
  V const b = factor[0], c = factor[1], d = factor[2], bend = factor[3];
  V const rq = r[0] * q[0] + r[1] * q[1] + r[2] * q[2], rn = r[0] * n[0] + r[1] * n[1] + r[2] * n[2],
          t = q[0] * n[0] + q[1] * n[1] + q[2] * n[2], s = rq * rn, radial = c * t + d * s,
          steep = bend * t - (bend + bend + V(5) * d) * (s * factor[4]);
  V h[3], left[3], right[3];
  for (int j = 0; j < 3; ++j) {
    h[j] = rn * q[j] + rq * n[j];
    u[j] = u[j] + c * h[j] + radial * r[j];
    left[j] = bend * h[j] + steep * r[j];
    right[j] = d * r[j];
  }
  u[pressure_at] = u[pressure_at] + (V(4) * b * t + V(2) * d * s);
  V* const gradient = u + gradient_at;
  add_matrix(left, r, right, h, radial, gradient);
  for (int j = 0; j < 3; ++j) {
    V const cq = c * q[j], cn = c * n[j];
    for (int m = 0; m < 3; ++m) gradient[3 * j + m] = gradient[3 * j + m] + (cq * n[m] + cn * q[m]);
  }
}

/// A torque t: u = b t x r, no pressure.
template <class V>
NEARFAR_FUNCTION void add_torque(V const* factor, V const* r, V const* t, V* u) {
  V const b = factor[0], half = V(0.5) * factor[2];
  V* const gradient = u + gradient_at;
  for (int j = 0; j < 3; ++j) {
    int const k = (j + 1) % 3, l = (j + 2) % 3;
    V const cross = t[k] * r[l] - t[l] * r[k], steep = half * cross;
    u[j] = u[j] + b * cross;
    for (int m = 0; m < 3; ++m) gradient[3 * j + m] = gradient[3 * j + m] + steep * r[m];
    gradient[3 * j + l] = gradient[3 * j + l] + b * t[k];
    gradient[3 * j + k] = gradient[3 * j + k] - b * t[l];
  }
}

/// The velocity alone of a force dipole D, as below. Returns -(b t + e s), half of what it adds to the pressure.
template <class V>
NEARFAR_FUNCTION V add_flow_of_dipole(V const* factor, V const* r, V const* dipole, V* u) {
  V const b = factor[0], c = factor[1], e = V(0.5) * factor[2], t = dipole[0] + dipole[4] + dipole[8];
  V h[3];
  for (int j = 0; j < 3; ++j) h[j] = dipole[3 * j] * r[0] + dipole[3 * j + 1] * r[1] + dipole[3 * j + 2] * r[2];
  V const radial = -(b * t + e * (r[0] * h[0] + r[1] * h[1] + r[2] * h[2])), of_h = b - c;
  for (int j = 0; j < 3; ++j) {
    V const g = dipole[j] * r[0] + dipole[3 + j] * r[1] + dipole[6 + j] * r[2];
    u[j] = u[j] + (of_h * h[j] - b * g) + radial * r[j];
  }
  return radial;
}

/// A force dipole D, of forces f and displacements a in the limit f a^T: with h = D r, g = D^T r, s = r.h, t = tr D and
/// e = d / 2, u = (b - c) h - b g - (b t + e s) r, p = -2b t - 2e s, and
/// gradient = (b - c) D - b D^T - (b t + e s) I + [(e - F) h - e g + ((F + 5e) s / r^2 - e t) r] r^T - e r (h + g)^T.
template <class V>
NEARFAR_FUNCTION void add_force_dipole(V const* factor, V const* r, V const* dipole, V* u) {
  V const b = factor[0], c = factor[1], e = V(0.5) * factor[2], bend = factor[3];
  V h[3], g[3], both[3], left[3], right[3];
  for (int j = 0; j < 3; ++j) {
    h[j] = dipole[3 * j] * r[0] + dipole[3 * j + 1] * r[1] + dipole[3 * j + 2] * r[2];
    g[j] = dipole[j] * r[0] + dipole[3 + j] * r[1] + dipole[6 + j] * r[2];
    both[j] = h[j] + g[j];
  }
  V const t = dipole[0] + dipole[4] + dipole[8], s = r[0] * h[0] + r[1] * h[1] + r[2] * h[2], radial = -(b * t + e * s),
          steep = (bend + V(5) * e) * (s * factor[4]) - e * t;
  for (int j = 0; j < 3; ++j) {
    u[j] = u[j] + ((b - c) * h[j] - b * g[j]) + radial * r[j];
    left[j] = (e - bend) * h[j] - e * g[j] + steep * r[j];
    right[j] = -e * r[j];
  }
  u[pressure_at] = u[pressure_at] - V(2) * (b * t + e * s);
  V* const gradient = u + gradient_at;
  add_matrix(left, r, right, both, radial, gradient);
  for (int j = 0; j < 3; ++j)
    for (int m = 0; m < 3; ++m)
      gradient[3 * j + m] = gradient[3 * j + m] + ((b - c) * dipole[3 * j + m] - b * dipole[3 * m + j]);
}

}  // namespace flow_pairs

}  // namespace nearfar
