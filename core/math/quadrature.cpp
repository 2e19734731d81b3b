// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/quadrature.hpp"

#include "core/math/constants.hpp"

#include <cmath>

namespace nearfar {

GaussLegendre::GaussLegendre(int points) : node_(points), weight_(points) {
  for (int i = 0; i < points; ++i) {
    long double x = std::cos(pi<long double> * (i + 0.75L) / (points + 0.5L)), slope = 1;
    for (int step = 0; step < 8; ++step) {  // Newton; converged after about 5
      long double p = 1, below = 0;
      for (int k = 1; k <= points; ++k) {
        long double const next = ((2 * k - 1) * x * p - (k - 1) * below) / k;
        below = p;
        p = next;
      }
      slope = points * (x * p - below) / (x * x - 1);
      x -= p / slope;
    }
    node_[i] = (1 + x) / 2;
    weight_[i] = 1 / ((1 - x * x) * slope * slope);
  }
}

}  // namespace nearfar
