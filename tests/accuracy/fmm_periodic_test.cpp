// SPDX-License-Identifier: BSD-3-Clause
// The multipole method in a periodic cell, against Ewald's sum and a crystal.
#include "tests/accuracy/fmm_solve.hpp"

#include <nearfar/error.hpp>
#include <nearfar/runtime.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <sstream>

using namespace nearfar;

namespace {

enum class Cell { neutral, dipolar, charged };

/// Charges in a cube of edge 2, as its charge and dipole moment shall be.
System cell_of(Cell kind, std::size_t count) {
  System s = random_system(Kernel::laplace, {2, 2, 2}, count, count, 21);
  double sum = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (kind == Cell::dipolar) s.strengths[i] += s.sources[3 * i] - 0.5 * s.sources[3 * i + 1];
    if (kind == Cell::charged) s.strengths[i] += 0.5;
    sum += s.strengths[i];
  }
  if (kind != Cell::charged)
    for (double& q : s.strengths) q -= sum / double(count);
  return s;
}

/// Relative errors of Madelung's constant: of that of the whole crystal, and root mean square over its ions.
struct MadelungError {
  double mean, rms;
};

MadelungError madelung_error(Runtime const& runtime, int m, FmmOptions options) {
  System s{Kernel::laplace, {1, 1, 1}, {}, {}, {}};
  for (int i = 0; i < m * m * m; ++i) {
    int const at[3] = {i / m / m, i / m % m, i % m};
    for (int a : at) s.sources.push_back((a + 0.25) / m);
    s.strengths.push_back((at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1);
  }
  s.targets = s.sources;
  auto const u = solve_fmm(runtime, s, options);
  double sum = 0, squares = 0;
  double const ions = double(s.strengths.size());
  for (std::size_t i = 0; i < s.strengths.size(); ++i) {
    double const error = -u[4 * i] * s.strengths[i] / m / 1.747564594633182 - 1;
    sum += error;
    squares += error * error;
  }
  return {std::abs(sum / ions), std::sqrt(squares / ions)};
}

}  // namespace

TEST_CASE("periodic: equal to Ewald's sum within the tolerance, neutral, dipolar and charged cells") {
  Runtime const runtime({.gpus = 0});
  for (Cell kind : {Cell::neutral, Cell::dipolar, Cell::charged}) {
    System const s = cell_of(kind, 1500);
    auto const reference = whole_reference(s);
    for (double tolerance : {1e-3, 1e-5, 1e-7, 1e-9})
      for (int depth : {0, 1, 2, 3}) {
        if (depth == 3 && tolerance < 1e-5) continue;
        std::ostringstream what;
        what << "cell " << int(kind) << ", depth " << depth;
        check_error(what.str(), s, solve_fmm(runtime, s, {.tolerance = tolerance, .depth = depth}), reference,
                    tolerance);
      }
    check_error("separation 2", s, solve_fmm(runtime, s, {.tolerance = 1e-8, .depth = 2, .well_separation = 2}),
                reference, 1e-8);
    check_error("all chosen", s, solve_fmm(runtime, s, {.tolerance = 1e-6}), reference, 1e-6);
    check_error("adaptive", s, solve_fmm(runtime, s, {.tolerance = 1e-6, .capacity = 10}), reference, 1e-6);
  }
}

TEST_CASE("periodic: single precision, other targets, points outside the cell") {
  Runtime const runtime({.gpus = 0});
  System s = random_system(Kernel::laplace, {1, 1, 1}, 1000, 300, 5, false, true);
  auto const reference = whole_reference(s);
  check_error("single", s, solve_fmm<float>(runtime, s, {.tolerance = 1e-4}), reference, 1e-4);
  check_error("double", s, solve_fmm(runtime, s, {.tolerance = 1e-8}), reference, 1e-8);
  for (std::size_t i = 0; i < s.sources.size(); ++i) s.sources[i] += double(int(i % 5) - 2);
  check_error("moved by cells", s, solve_fmm(runtime, s, {.tolerance = 1e-8}), reference, 1e-8);
}

TEST_CASE("periodic: Madelung's constant of rock salt to nine digits") {
  Runtime const runtime({.gpus = 0});
  CHECK(madelung_error(runtime, 4, {.order = 20, .depth = 2}).mean < 5e-10);
  for (double tolerance : {1e-5, 1e-7, 1e-9}) {
    auto const error = madelung_error(runtime, 8, {.tolerance = tolerance, .depth = 2});
    CHECK(error.rms < tolerance);
    CHECK(error.mean < tolerance);
  }
  // fmm.md, Sec. 2: what lower orders give.
  CHECK(madelung_error(runtime, 4, {.order = 8, .depth = 2}).mean == doctest::Approx(4.9e-6).epsilon(0.5));
}

TEST_CASE("periodic: a vacuum around the cell turns its dipole field on, and wants it neutral") {
  Runtime const runtime({.gpus = 0});
  System const s = cell_of(Cell::dipolar, 800);
  double const volume = 8, centre = 1;
  double dipole[3] = {}, second = 0;
  for (std::size_t i = 0; i < s.strengths.size(); ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      double const x = s.sources[3 * i + d] - centre;
      dipole[d] += s.strengths[i] * x;
      second += s.strengths[i] * x * x;
    }
  // fmm.md, Sec. 2: phi of Ewald is phi of the vacuum + 2 pi / (3 V) (-2 x . P + sum of q |x|^2).
  auto reference = whole_reference(s);
  double const factor = 2 * 3.14159265358979324 / (3 * volume);
  for (std::size_t i = 0; i < s.strengths.size(); ++i) {
    double along = 0;
    for (std::size_t d = 0; d < 3; ++d) {
      along += (s.sources[3 * i + d] - centre) * dipole[d];
      reference[4 * i + 1 + d] += 2 * factor * dipole[d];
    }
    reference[4 * i] -= factor * (second - 2 * along);
  }
  check_error("vacuum", s, solve_fmm(runtime, s, {.tolerance = 1e-7, .boundary = Boundary::vacuum}), reference, 1e-7);
  CHECK_THROWS_WITH_AS(
      solve_fmm(runtime, cell_of(Cell::charged, 100), {.tolerance = 1e-4, .boundary = Boundary::vacuum}),
      doctest::Contains("tin-foil"), Error);
}
