// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/kernel.hpp>

#include <cstddef>

namespace nearfar::oracle {

constexpr std::size_t strength_row(Kernel kernel) {
  return kernel == Kernel::stokeslet ? 3 : kernel == Kernel::stresslet ? 6 : kernel == Kernel::stokes ? 9 : 1;
}

constexpr std::size_t result_row(Kernel kernel, bool gradient) {
  return kernel != Kernel::laplace ? 3 : gradient ? 4 : 1;
}

constexpr bool has_stokeslet(Kernel kernel) { return kernel == Kernel::stokeslet || kernel == Kernel::stokes; }
constexpr bool has_stresslet(Kernel kernel) { return kernel == Kernel::stresslet || kernel == Kernel::stokes; }

/// What a profile leaves of 1/R: 1 - Phi, Phi', Phi'' at R. In free space {1, 0, 0}.
template <class T>
struct Screen {
  T rest;
  T first;
  T second;
};

/// u += near kernel (ewald.md, Sec. 1), R = |r| > 0:
///   laplace    (1-Phi)/R, gradient -[(1-Phi)/R + Phi'] r/R^2
///   stokeslet  I [(1-Phi)/R - Phi'] + rr/R^2 [(1-Phi)/R + Phi']
///   stresslet  rrr/R^4 [-6 ((1-Phi)/R + Phi') + 2 R Phi''] - Phi''/R (I r + r I + ...)
template <class T>
void add_pair(Kernel kernel, bool gradient, T const* r, T R, Screen<T> const& screen, double const* strength, T* u) {
  auto const dot = [](auto const* a, auto const* b) { return T(a[0]) * b[0] + T(a[1]) * b[1] + T(a[2]) * b[2]; };
  T const plain = screen.rest / R;
  T const sum = (plain + screen.first) / (R * R);
  if (kernel == Kernel::laplace) {
    u[0] += plain * strength[0];
    if (gradient)
      for (int j = 0; j < 3; ++j) u[1 + j] -= sum * strength[0] * r[j];
  }
  if (has_stokeslet(kernel)) {
    T const along = sum * dot(r, strength);
    for (int j = 0; j < 3; ++j) u[j] += (plain - screen.first) * strength[j] + along * r[j];
  }
  if (has_stresslet(kernel)) {
    double const* q = strength + (kernel == Kernel::stokes ? 3 : 0);
    double const* n = q + 3;
    T const rq = dot(r, q), rn = dot(r, n), qn = dot(q, n);
    T const along = (-6 * sum + 2 * screen.second / R) / (R * R) * rq * rn;
    T const side = -screen.second / R;
    for (int j = 0; j < 3; ++j) u[j] += along * r[j] + side * (qn * r[j] + rn * q[j] + rq * n[j]);
  }
}

/// The near kernel minus the full one at R = 0, where the source itself does not count. `slope` is Phi'(0).
template <class T>
void add_self(Kernel kernel, T slope, double const* strength, T* u) {
  if (kernel == Kernel::laplace) u[0] -= slope * strength[0];
  if (has_stokeslet(kernel))
    for (int j = 0; j < 3; ++j) u[j] -= 2 * slope * strength[j];
}

}  // namespace nearfar::oracle
