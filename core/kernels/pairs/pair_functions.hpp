// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <cmath>

namespace nearfar {

// Pair functions: what one source adds to one target, as plain functors of the form
// that <nearfar/pair_sum.hpp> asks of users. r = target - source has D components, r2
// is its square, inverse is 1 / |r|. V is a scalar or a batch, whose sqrt, exp and log
// are found by argument-dependent lookup. The flops exclude those of r, r2 and inverse.

/// q / |r|.
template <int D>
struct InverseDistance {
  static constexpr char const* name = "inverse-distance";
  static constexpr int dimensions = D, strengths = 1, results = 1;
  static constexpr double flops = 2;

  template <class V>
  NEARFAR_FUNCTION void operator()(V const*, V, V inverse, V const* q, V* u) const {
    u[0] = u[0] + q[0] * inverse;
  }
};

/// q r / |r|^3.
template <int D>
struct InverseSquare {
  static constexpr char const* name = "inverse-square";
  static constexpr int dimensions = D, strengths = 1, results = D;
  static constexpr double flops = 3 + 2 * D;

  template <class V>
  NEARFAR_FUNCTION void operator()(V const* r, V, V inverse, V const* q, V* u) const {
    V const factor = q[0] * inverse * inverse * inverse;
    for (int d = 0; d < D; ++d) u[d] = u[d] + factor * r[d];
  }
};

/// q log |r|.
template <int D>
struct Logarithm {
  static constexpr char const* name = "logarithm";
  static constexpr int dimensions = D, strengths = 1, results = 1;
  static constexpr double flops = 23;  // a logarithm counted as 20

  template <class V>
  NEARFAR_FUNCTION void operator()(V const*, V r2, V, V const* q, V* u) const {
    using std::log;
    u[0] = u[0] + V(0.5) * q[0] * log(r2);
  }
};

/// q exp(-|r| / s^2).
template <int D>
struct Exponential {
  static constexpr char const* name = "exponential";
  static constexpr int dimensions = D, strengths = 1, results = 1;
  static constexpr double flops = 24;  // an exponential counted as 20

  double inverse_square_width = 4;  ///< 1 / s^2

  template <class V>
  NEARFAR_FUNCTION void operator()(V const*, V r2, V inverse, V const* q, V* u) const {
    using std::exp;
    u[0] = u[0] + q[0] * exp(V(-inverse_square_width) * r2 * inverse);
  }
};

/// (3 r r / |r|^5 - I / |r|) f.
template <int D>
struct RankOne {
  static constexpr char const* name = "rank-one";
  static constexpr int dimensions = D, strengths = D, results = D;
  static constexpr double flops = 5 + 6 * D;

  template <class V>
  NEARFAR_FUNCTION void operator()(V const* r, V, V inverse, V const* f, V* u) const {
    V along = r[0] * f[0];
    for (int d = 1; d < D; ++d) along = along + r[d] * f[d];
    V const inverse2 = inverse * inverse, factor = V(3) * along * (inverse2 * inverse2 * inverse);
    for (int d = 0; d < D; ++d) u[d] = u[d] + (factor * r[d] - inverse * f[d]);
  }
};

/// The Stokeslet, (I / |r| + r r / |r|^3) f.
template <int D>
struct OseenTensor {
  static constexpr char const* name = "stokeslet";
  static constexpr int dimensions = D, strengths = D, results = D;
  static constexpr double flops = 2 + 6 * D;

  template <class V>
  NEARFAR_FUNCTION void operator()(V const* r, V, V inverse, V const* f, V* u) const {
    V along = r[0] * f[0];
    for (int d = 1; d < D; ++d) along = along + r[d] * f[d];
    V const factor = along * (inverse * inverse);
    for (int d = 0; d < D; ++d) u[d] = u[d] + inverse * (f[d] + factor * r[d]);
  }
};

}  // namespace nearfar
