// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

using Vector = std::vector<double>;

/// Solves A x = b by the method of generalised minimal residuals, from x = 0; `apply` is v -> A v.
/// Returns the number of iterations until the residual is below `tolerance` times b.
template <class Apply>
int gmres(Apply apply, Vector const& b, Vector& x, double tolerance, int most) {
  auto const dot = [](Vector const& u, Vector const& v) {
    return std::inner_product(u.begin(), u.end(), v.begin(), 0.0);
  };
  std::vector<Vector> basis{b}, h;  // h[k]: column k of the triangle that Givens rotations make
  Vector cosine, sine, rest{std::sqrt(dot(b, b))};
  double const enough = tolerance * rest[0];
  for (double& v : basis[0]) v /= rest[0];
  int k = 0;
  for (; k < most && std::abs(rest[std::size_t(k)]) > enough; ++k) {
    Vector w = apply(basis[std::size_t(k)]), column;
    for (auto const& v : basis) {
      column.push_back(dot(v, w));
      for (std::size_t i = 0; i < w.size(); ++i) w[i] -= column.back() * v[i];
    }
    double const length = std::sqrt(dot(w, w));
    for (std::size_t i = 0; i < std::size_t(k); ++i) {
      double const above = column[i];
      column[i] = cosine[i] * above + sine[i] * column[i + 1];
      column[i + 1] = cosine[i] * column[i + 1] - sine[i] * above;
    }
    double const radius = std::hypot(column.back(), length);
    cosine.push_back(column.back() / radius);
    sine.push_back(length / radius);
    column.back() = radius;
    h.push_back(column);
    rest.push_back(-sine.back() * rest.back());
    rest[std::size_t(k)] *= cosine.back();
    for (double& v : w) v /= length;
    basis.push_back(w);
  }
  x.assign(b.size(), 0);
  for (std::size_t j = std::size_t(k); j-- > 0;) {
    for (std::size_t i = j + 1; i < std::size_t(k); ++i) rest[j] -= h[i][j] * rest[i];
    rest[j] /= h[j][j];
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += rest[j] * basis[j][i];
  }
  return k;
}
