// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace nearfar {

/// Gauss-Legendre quadrature on [0, 1].
class GaussLegendre {
 public:
  explicit GaussLegendre(int points);

  template <class F>
  long double integrate(F const& f) const {
    long double sum = 0;
    for (std::size_t i = 0; i < node_.size(); ++i) sum += weight_[i] * f(node_[i]);
    return sum;
  }

 private:
  std::vector<long double> node_, weight_;
};

}  // namespace nearfar
