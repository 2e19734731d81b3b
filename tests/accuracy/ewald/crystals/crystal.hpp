// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/nearfar.hpp>

#include <cmath>
#include <vector>

namespace nearfar {

/// Relative l2 error of Madelung's constant, times the lattice constant over the distance of neighbours, over all ions.
inline double madelung_error(Runtime const& runtime, std::vector<double> const& x, std::vector<double> const& q,
                             double cells, double constant, EwaldOptions options) {
  options.kernel = Kernel::laplace;
  Ewald plan(runtime, options);
  std::vector<double> phi(q.size());
  plan.submit(plan.set_points(x), q, phi).wait();
  double sum = 0;
  for (std::size_t i = 0; i < q.size(); ++i) sum += std::pow(-phi[i] * q[i] / cells / constant - 1, 2);
  return std::sqrt(sum / double(q.size()));
}

/// Of rock salt, m ions to an edge. The ions are put `shift` spacings from the origin.
inline double rock_salt_error(Runtime const& runtime, int m, double shift, EwaldOptions const& options) {
  std::vector<double> x, q;
  for (int i = 0; i < m * m * m; ++i) {
    int const at[3] = {i / m / m, i / m % m, i % m};
    for (int a : at) x.push_back((a + shift) / m);
    q.push_back((at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1);
  }
  return madelung_error(runtime, x, q, m, 1.747564594633182, options);
}

/// Of caesium chloride, m cells to an edge.
inline double caesium_chloride_error(Runtime const& runtime, int m, double shift, EwaldOptions const& options) {
  std::vector<double> x, q;
  for (int i = 0; i < 2 * m * m * m; ++i) {
    int const cell = i / 2, at[3] = {cell / m / m, cell / m % m, cell % m};
    for (int a : at) x.push_back((a + 0.5 * (i % 2) + shift) / m);
    q.push_back(i % 2 == 0 ? 1 : -1);
  }
  return madelung_error(runtime, x, q, m, 2 / std::sqrt(3.0) * 1.76267477307099, options);
}

}  // namespace nearfar
