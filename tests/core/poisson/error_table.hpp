// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/core/poisson/known_cases.hpp"
#include "tests/core/poisson/plain_solver.hpp"

#include <doctest/doctest.h>

namespace nearfar::known {

inline constexpr std::array<bool, 3> all_open{};

inline GreenFunction green_of(PoissonMethod method, HockneyGreen green, int n, double edge) {
  return make_green_function(method, green, {n, n, n}, {edge, edge, edge}, all_open);
}

struct Errors {
  double potential, field_x;
};

inline Errors gaussian_errors(PoissonMethod method, HockneyGreen samples, int n, bool field) {
  auto const green = green_of(method, samples, n, 1);
  auto const c = known::gaussian({n, n, n}, {1, 1, 1}, {0.5, 0.5, 0.5});
  auto const s = plain::solve(green, plain::green_table(green), c.density, field);
  return {plain::relative_error(s.potential, c.potential), field ? plain::relative_error(s.field[0], c.field[0]) : 0};
}

inline double sphere_error(PoissonMethod method, HockneyGreen samples, int n) {
  auto const green = green_of(method, samples, n, 2.4);
  auto const c = known::sphere(n);
  return plain::relative_error(plain::solve(green, plain::green_table(green), c.density).potential, c.potential);
}

inline void check(double found, double expected) { CHECK(found == doctest::Approx(expected).epsilon(0.05).scale(0)); }

struct Row {
  int n;
  double constant, average, vico, vico_field, hockney_field;
};
/// Measured with an independent program: relative l2 errors over the cells, along with Ex of two methods.
inline constexpr Row table[] = {{8, 3.013e-1, 2.501e-1, 2.434e-1, 4.55e-1, 7.51e-1},
                                {16, 5.281e-2, 7.243e-3, 2.8895e-4, 1.86e-2, 3.02e-1},
                                {32, 1.378e-2, 2.140e-3, 1.17e-9, 5.81e-7, 8.05e-2},
                                {64, 3.490e-3, 5.587e-4, 0, 0, 2.05e-2},
                                {128, 8.764e-4, 1.412e-4, 0, 0, 5.15e-3}};

inline void check_gaussian(Row const& row) {
  CAPTURE(row.n);
  auto const constant = gaussian_errors(PoissonMethod::hockney, HockneyGreen::constant, row.n, true);
  check(constant.potential, row.constant);
  auto const average = gaussian_errors(PoissonMethod::hockney, HockneyGreen::cell_average, row.n, false);
  check(average.potential, row.average);
  check(constant.field_x, row.hockney_field);
  auto const vico = gaussian_errors(PoissonMethod::vico_dct, HockneyGreen::cell_average, row.n, true);
  if (row.vico > 0) {
    check(vico.potential, row.vico);
    check(vico.field_x, row.vico_field);
  } else {  // rounding
    CHECK(vico.potential < 3e-15);
    CHECK(vico.field_x < 3e-14);
  }
}

struct SphereRow {
  int n;
  double constant, vico;
};
inline constexpr SphereRow sphere_table[] = {{8, 2.45e-2, 3.11e-2},
                                             {16, 3.06e-2, 2.46e-2},
                                             {32, 1.83e-3, 2.20e-3},
                                             {64, 1.46e-3, 1.76e-3},
                                             {128, 2.51e-4, 1.38e-4}};

inline void check_sphere(SphereRow const& row) {
  CAPTURE(row.n);
  check(sphere_error(PoissonMethod::hockney, HockneyGreen::constant, row.n), row.constant);
  check(sphere_error(PoissonMethod::vico_dct, HockneyGreen::cell_average, row.n), row.vico);
}

}  // namespace nearfar::known
