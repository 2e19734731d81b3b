// SPDX-License-Identifier: BSD-3-Clause
// What tests of cells of any shape share.
#pragma once

#include "tests/oracle/oracle.hpp"
#include "tests/oracle/random_points.hpp"

#include <nearfar/nearfar.hpp>

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace nearfar::cells {

using Rows = std::array<std::array<double, 3>, 3>;
using Numbers = std::vector<double>;

inline constexpr Kernel all_kernels[] = {Kernel::stokeslet,     Kernel::stresslet, Kernel::stokes,
                                         Kernel::laplace,       Kernel::rotlet,    Kernel::dipole,
                                         Kernel::charge_dipole, Kernel::yukawa,    Kernel::doublet};

/// All outputs; a flow whose constant is left open has no mean.
inline EwaldOptions options_for(Kernel kernel, Rows const& rows, Periodicity periodicity, double tolerance) {
  EwaldOptions options{.kernel = kernel, .outputs = outputs_of(kernel), .periodicity = periodicity};
  options.cell = rows;
  options.tolerance = tolerance;
  if (kernel == Kernel::yukawa) options.screening = 2.5;
  if ((kernel == Kernel::stresslet || kernel == Kernel::stokes) && periodicity == Periodicity::xyz)
    options.zero_mode = ZeroMode::zero_mean_flow;
  return options;
}

/// The numbers of a plan for these options.
template <class T = double>
std::vector<T> sums(Runtime const& runtime, EwaldOptions const& options, std::vector<T> const& x,
                    std::vector<T> const& strengths, Part part = Part::whole) {
  BasicEwald<T> plan(runtime, options);
  std::vector<T> u(x.size() / 3 * std::size_t(result_components(options.kernel, options.outputs)));
  plan.submit(plan.set_points(x), strengths, u, part).wait();
  return u;
}

/// Of any kernel, uniform in [-1, 1); their sum is not zero.
inline Numbers strengths_for(Kernel kernel, std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  Numbers strengths(count * std::size_t(strength_components(kernel)));
  for (double& s : strengths) s = 2 * uniform(random) - 1;
  return strengths;
}

/// Points at the same fractions of the rows.
inline Numbers at_fractions(Numbers const& s, Rows const& rows) {
  Numbers x(s.size());
  for (std::size_t i = 0; i < s.size(); ++i) {
    double const* const of = &s[i - i % 3];
    x[i] = of[0] * rows[0][i % 3] + of[1] * rows[1][i % 3] + of[2] * rows[2][i % 3];
  }
  return x;
}

/// Points in the cell, evenly.
inline Numbers points_in(Rows const& rows, std::size_t count, unsigned seed) {
  return at_fractions(random_points(count, {1, 1, 1}, seed), rows);
}

/// The cell with the rows along free directions normal to the others, of the length of the first.
inline Rows with_free_rows(Rows rows, Periodicity periodicity, double length = 1) {
  for (std::size_t d = 0; d < 3; ++d)
    for (std::size_t c = 0; c < 3; ++c) {
      bool const periodic = is_periodic(periodicity, int(d));
      if (!periodic || !is_periodic(periodicity, int(c))) rows[d][c] = !periodic && c == d ? length : 0;
    }
  return rows;
}

/// Calls body(output, first, count) for the columns of each output.
template <class Body>
void for_each_output(EwaldOptions const& options, Body const& body) {
  int first = 0;
  for (Output const output : list_of(options.outputs)) {
    int const count = output_components(options.kernel, output);
    body(output, first, count);
    first += count;
  }
}

/// Of some columns of rows.
inline double norm_of(Numbers const& u, int width, int first, int count) {
  double sum = 0;
  for (std::size_t row = 0; row < u.size(); row += std::size_t(width))
    for (int i = first; i < first + count; ++i) sum += u[row + std::size_t(i)] * u[row + std::size_t(i)];
  return std::sqrt(sum);
}

}  // namespace nearfar::cells
