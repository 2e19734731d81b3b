// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/ewald/split/near_pair.hpp"
#include "core/kernels/description/description.hpp"

#include <cmath>

namespace nearfar::reference {

template <class K, class T>
void add_near(NearKernel<T> const& near, T const* r, double const* strength, double* u) {
  using Pair = typename K::Near;
  T const r2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (r2 >= near.cutoff_squared) return;
  T const inverse = r2 > 0 ? 1 / std::sqrt(r2) : T(0);
  T factor[1][Pair::factor_count], f[K::strengths], sum[K::results] = {};
  for (int m = 0; m < K::strengths; ++m) f[m] = static_cast<T>(strength[m]);
  near_factors<Pair, 1>(near, &r2, &inverse, factor);
  Pair::add(factor[0], r[0], r[1], r[2], f, sum);
  for (int m = 0; m < K::results; ++m) u[m] += sum[m];
}

/// Adds what a source gives a target at r = target - source by the layers of a plan; nothing beyond the cutoff.
template <class T>
void add_near(Kernel kernel, bool gradient, NearKernel<T> const& near, T const* r, double const* strength, double* u) {
  visit_kernel(kernel, gradient ? Output::potential | Output::gradient : Outputs(),
               [&]<class K>(K) { add_near<K>(near, r, strength, u); });
}

}  // namespace nearfar::reference
