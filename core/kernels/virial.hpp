// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/kernels.hpp"

#include <array>
#include <string_view>

namespace nearfar {

/// Numbers of a symmetric tensor, xx, yy, zz, xy, xz, yz, and the two axes of each.
inline constexpr int virial_size = 6;
struct VirialAxes {
  int a, b;
};
NEARFAR_FUNCTION constexpr VirialAxes virial_axes(int m) {
  return m < 3 ? VirialAxes{m, m} : VirialAxes{m == 5 ? 1 : 0, m == 3 ? 1 : 2};
}

/// The near part of a kernel of charges with a gradient, for P2P. A target's results are followed by the sum over its
/// sources of -q b_2 r r, where q b_2 r is the gradient: times half its own charge, what it adds to the virial of
/// pairs. Pairs that are summed once for both points give it to both, with the same sign.
template <class K>
struct WithVirial {
  static constexpr int strengths = K::strengths, results = K::results + virial_size;
  static constexpr std::string_view suffix = "_virial";
  static constexpr auto letters = [] {
    std::array<char, K::symbol.size() + suffix.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = i < K::symbol.size() ? K::symbol[i] : suffix[i - K::symbol.size()];
    return all;
  }();
  static constexpr std::string_view symbol{letters.data(), letters.size()};

  struct Near : K::Near {
    static_assert(K::strengths == 1 && K::Near::factor_count == 2, "factor 1 is that of the gradient");
    static constexpr int flops = K::Near::flops + 3 + 2 * virial_size;

    template <class V>
    NEARFAR_FUNCTION static void add(V const* factor, V x, V y, V z, V const* q, V* phi) {
      K::Near::add(factor, x, y, z, q, phi);
      V const radial = factor[1] * q[0], slope_x = radial * x, slope_y = radial * y, slope_z = radial * z;
      V* const pairs = phi + K::results;
      pairs[0] = pairs[0] + slope_x * x;
      pairs[1] = pairs[1] + slope_y * y;
      pairs[2] = pairs[2] + slope_z * z;
      pairs[3] = pairs[3] + slope_x * y;
      pairs[4] = pairs[4] + slope_x * z;
      pairs[5] = pairs[5] + slope_y * z;
    }
  };
};

template <class K>
struct Mirror<WithVirial<K>> {
  static constexpr int strength(int c) { return Mirror<K>::strength(c); }
  static constexpr int result(int m) { return m < K::results ? Mirror<K>::result(m) : 1; }
};

/// X(..., K) for each kernel with a virial.
#define NEARFAR_VIRIAL_KERNELS(X, ...) X(__VA_ARGS__, WithVirial<LaplaceGradient>)
/// X(T, A, K), as NEARFAR_EACH_NEAR_SUM.
#define NEARFAR_EACH_VIRIAL_SUM(X)          \
  NEARFAR_VIRIAL_KERNELS(X, double, double) \
  NEARFAR_VIRIAL_KERNELS(X, double, float) NEARFAR_VIRIAL_KERNELS(X, float, float)

}  // namespace nearfar
