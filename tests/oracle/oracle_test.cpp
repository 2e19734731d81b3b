// SPDX-License-Identifier: BSD-3-Clause
#include "tests/oracle/oracle.hpp"

#include "tests/oracle/golden.hpp"
#include "tests/oracle/random_points.hpp"
#include "tests/oracle/sphere.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace nearfar;
using oracle::Box;

namespace {

constexpr double pi = std::numbers::pi;
constexpr Box unit{1, 1, 1};
constexpr Kernel all_kernels[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace};

std::vector<double> potential(Box const& box, std::vector<double> const& points, std::vector<double> const& charges) {
  return oracle::ewald(Kernel::laplace, false, box, points, points, charges);
}

}  // namespace

TEST_CASE("oracle: golden vectors") {
  for (Kernel kernel : all_kernels) {
    CAPTURE(int(kernel));
    auto const s = golden::strengths(kernel);
    auto const u = oracle::ewald(kernel, true, unit, golden::points, golden::points, s);
    CHECK(oracle::relative_error(u, golden::periodic.rows(kernel)) < 1e-12);
    auto const free = oracle::free_space(kernel, true, golden::points, golden::points, s);
    CHECK(oracle::relative_error(free, golden::free_space.rows(kernel)) < 1e-12);
  }
  auto const u = oracle::ewald(Kernel::laplace, false, unit, golden::points, golden::points, golden::charge);
  CHECK(u.size() == 3);
  CHECK(u[1] == doctest::Approx(4.288541771178).epsilon(1e-12));
}

TEST_CASE("oracle: golden vectors of boxes with free directions, whatever the cutoff") {
  for (Kernel kernel : all_kernels)
    for (double cutoff : {0.4, 0.7}) {
      auto const error = [&](Periodicity periodicity, golden::Fields const& exact) {
        auto const u = oracle::mixed_ewald(kernel, true, periodicity, unit, golden::points, golden::points,
                                           golden::strengths(kernel), cutoff);
        return oracle::relative_error(u, exact.rows(kernel));
      };
      CHECK(error(Periodicity::xy, golden::periodic_xy) < 1e-12);
      CHECK(error(Periodicity::x, golden::periodic_x) < 1e-12);
    }
}

TEST_CASE("oracle: Madelung constants") {
  // One charge of each sign where that is a whole cell; nearest neighbours at distance d: phi = -M q / d.
  std::vector<double> nacl, charges;
  for (int i = 0; i < 8; ++i) {
    for (int d : {i & 1, i >> 1 & 1, i >> 2 & 1}) nacl.push_back(0.5 * d);
    charges.push_back(((i & 1) + (i >> 1 & 1) + (i >> 2 & 1)) % 2 ? -1 : 1);
  }
  CHECK(potential(unit, nacl, charges)[0] * 0.5 == doctest::Approx(-1.747564594633182).epsilon(1e-14));
  CHECK(potential(unit, {0, 0, 0, .5, .5, .5}, {1, -1})[0] == doctest::Approx(-2.0353615094526).epsilon(1e-13));
  std::vector<double> zns, zns_charges;
  for (double shift : {0.0, 0.25})
    for (auto p : {std::array{0., 0., 0.}, {0., .5, .5}, {.5, 0., .5}, {.5, .5, 0.}}) {
      for (double x : p) zns.push_back(x + shift);
      zns_charges.push_back(shift == 0 ? 1 : -1);
    }
  CHECK(potential(unit, zns, zns_charges)[0] == doctest::Approx(-3.7829261040858).epsilon(1e-13));
}

TEST_CASE("oracle: a lattice of one charge in its background") {
  CHECK(potential(unit, {.3, .4, .5}, {1})[0] == doctest::Approx(-2.837297479480620).epsilon(1e-14));
  CHECK(potential(unit, {0, 0, 0, .5, .5, .5}, {1, 1})[0] == doctest::Approx(-3.639233449509).epsilon(1e-12));
  CHECK(potential(unit, {0, 0, 0, 0, .5, .5, .5, 0, .5, .5, .5, 0}, {1, 1, 1, 1})[0] ==
        doctest::Approx(-4.584862074114).epsilon(1e-12));
}

TEST_CASE("oracle: the images of one Stokeslet at its own place") {
  struct Case {
    Box box;
    std::array<double, 3> diagonal;
  };
  for (Case const& c : {Case{unit, {-3.78306330597416, -3.78306330597416, -3.78306330597416}},
                        Case{{1, 1, 2}, {-1.6617414213616, -1.6617414213616, -3.8998843990860}},
                        Case{{1, 1.2, .9}, {-3.5185688029004, -4.0740378762890, -3.2241194984535}}})
    for (int j = 0; j < 3; ++j) {
      std::vector<double> const place{.1, .7, .2};
      std::vector<double> f(3);
      f[j] = 1;
      auto const u = oracle::ewald(Kernel::stokeslet, false, c.box, place, place, f);
      CAPTURE(j);
      for (int l = 0; l < 3; ++l) CHECK(std::abs(u[l] - (l == j ? c.diagonal[l] : 0)) < 2e-13);
    }
}

TEST_CASE("oracle: the split does not matter") {
  Box const box{1, 1.3, 0.8};
  auto const sources = random_points(60, box, 1), targets = random_points(170, box, 2);
  for (Kernel kernel : all_kernels) {
    auto const s = random_strengths(kernel, 60, 3);
    auto const reference = oracle::ewald(kernel, true, box, sources, targets, s);
    for (double cutoff : {0.4, 0.6, 1.1, 1.9}) {
      auto const u = oracle::ewald(kernel, true, box, sources, targets, s, 1e-14, cutoff);
      CAPTURE(int(kernel));
      CAPTURE(cutoff);
      CHECK(oracle::relative_error(u, reference) < 1e-14);
    }
    auto const u = oracle::ewald(kernel, true, box, sources, targets, s, 1e-6);
    double const coarse = oracle::relative_error(u, reference);
    CHECK(coarse < 1e-6);
    CHECK(coarse > 1e-12);  // `accuracy` does something
  }
}

TEST_CASE("oracle: two cells side by side, and points outside the cell") {
  Box const box{1, 1.2, 0.9};
  auto const one = random_points(20, box, 4);
  for (Kernel kernel : all_kernels) {
    // A shift of half of the sources by an edge changes the zero mode of the stresslet: without it here.
    auto const mode = oracle::ZeroMode::zero_mean_flow;
    auto const s = random_strengths(kernel, 20, 5);
    auto const u = oracle::ewald(kernel, true, box, one, one, s, 1e-14, 0, mode);
    for (int d = 0; d < 3; ++d) {
      Box doubled = box;
      doubled[d] *= 2;
      auto two = one, strengths = s;
      for (std::size_t i = 0; i < one.size(); ++i) two.push_back(one[i] + (int(i % 3) == d ? box[d] : 0));
      strengths.insert(strengths.end(), s.begin(), s.end());
      auto const v = oracle::ewald(kernel, true, doubled, two, one, strengths, 1e-14, 0, mode);
      CHECK(oracle::relative_error(v, u) < 2e-14);
    }
    auto moved = one;
    for (std::size_t i = 0; i < one.size(); ++i) moved[i] += (int(i / 3) - 10) * box[i % 3];
    auto const other = random_points(20, box, 11);  // not the sources: rounding would part them by 1e-15
    CHECK(oracle::relative_error(oracle::ewald(kernel, true, box, moved, other, s, 1e-14, 0, mode),
                                 oracle::ewald(kernel, true, box, one, other, s, 1e-14, 0, mode)) < 1e-12);
  }
}

TEST_CASE("oracle: the double layer over a closed surface") {
  // 8 pi q inside and 0 outside with zero face flux; without it both less 8 pi q V_p / V.
  Box const box{1, 1.1, .95};
  std::array<double, 3> const q{.3, -.7, .5}, centre{.4, .5, .45};
  double const radius = .25;
  oracle::Sphere const sphere(centre, radius, q);
  std::vector<double> const targets{.42, .48, .45, .9, 1.0, .9};
  double const lost = 4 * pi / 3 * radius * radius * radius / (box[0] * box[1] * box[2]);
  for (auto mode : {oracle::ZeroMode::zero_face_flux, oracle::ZeroMode::zero_mean_flow}) {
    auto const u =
        oracle::ewald(Kernel::stresslet, false, box, sphere.points, targets, sphere.strengths, 1e-14, 0, mode);
    double const less = mode == oracle::ZeroMode::zero_face_flux ? 0 : lost;
    for (int j = 0; j < 3; ++j) {
      CHECK(u[j] == doctest::Approx(8 * pi * q[j] * (1 - less)).epsilon(1e-10));
      CHECK(std::abs(u[3 + j] + 8 * pi * q[j] * less) < 1e-9);
    }
  }
}

TEST_CASE("oracle: kernels tied to each other") {
  auto const y = random_points(7, unit, 6), x = random_points(5, unit, 7);
  auto const charges = random_strengths(Kernel::laplace, 7, 8);
  auto const phi = oracle::ewald(Kernel::laplace, true, unit, y, x, charges);
  // The trace of the Stokeslet is 4 / r, so 4 phi; the stresslet with q n = -I is -6 grad (1/r), so 6 E.
  std::vector<double> trace(5), contracted(15), gradient(15);
  for (int j = 0; j < 3; ++j) {
    std::vector<double> f(21), qn(42);
    for (int n = 0; n < 7; ++n) f[3 * n + j] = qn[6 * n + j] = charges[n];
    for (int n = 0; n < 7; ++n) qn[6 * n + 3 + j] = 1;
    auto const u = oracle::ewald(Kernel::stokeslet, false, unit, y, x, f);
    auto const v = oracle::ewald(Kernel::stresslet, false, unit, y, x, qn, 1e-14, 0, oracle::ZeroMode::zero_mean_flow);
    for (int t = 0; t < 5; ++t) trace[t] += u[3 * t + j];
    for (int i = 0; i < 15; ++i) contracted[i] += v[i];
  }
  for (int t = 0; t < 5; ++t) {
    CHECK(trace[t] == doctest::Approx(4 * phi[4 * t]).epsilon(1e-12));
    for (int j = 0; j < 3; ++j) gradient[3 * t + j] = 6 * phi[4 * t + 1 + j];
  }
  CHECK(oracle::relative_error(contracted, gradient) < 1e-12);
}

TEST_CASE("oracle: the near part is a sum over images") {
  Box const box{1, 1.2, .9};
  auto const y = random_points(10, box, 9);
  double const cutoff = 1.7;
  auto const nothing = [](long double) { return 0.0L; };
  for (Kernel kernel : all_kernels) {
    // With Phi = 0 the near kernel is the full one, so the free-space sum over copies within the cutoff.
    auto const s = random_strengths(kernel, 10, 10);
    std::vector<double> const x(y.begin(), y.begin() + 3);
    std::vector<double> copies, copied;
    for (int cell = 0; cell < 343; ++cell)
      for (std::size_t n = 0; n < 10; ++n) {
        double const m[3] = {cell / 49 - 3., cell / 7 % 7 - 3., cell % 7 - 3.};
        double p[3], r2 = 0;
        for (int d = 0; d < 3; ++d) {
          p[d] = y[3 * n + d] + m[d] * box[d];
          r2 += (p[d] - x[d]) * (p[d] - x[d]);
        }
        if (r2 > cutoff * cutoff) continue;
        copies.insert(copies.end(), p, p + 3);
        std::size_t const row = s.size() / 10;
        copied.insert(copied.end(), s.begin() + n * row, s.begin() + (n + 1) * row);
      }
    auto const near = oracle::near_part(kernel, true, box, y, x, s, cutoff, nothing, nothing, nothing);
    CHECK(oracle::relative_error(near, oracle::free_space(kernel, true, copies, x, copied)) < 1e-13);
  }
}

TEST_CASE("oracle: whole minus near part is the far part, self terms included") {
  // With erf(xi r) and xi this small, the first mode of the far part is down by e^{-(pi / xi)^2} = 1e-27: all that is
  // left at a source is the background.
  long double const xi = 0.4, slope = 2 * xi * std::numbers::inv_sqrtpi_v<long double>;
  auto const phi = [&](long double r) { return std::erf(xi * r); };
  auto const phi1 = [&](long double r) { return slope * std::exp(-xi * xi * r * r); };
  auto const phi2 = [&](long double r) { return -2 * xi * xi * r * phi1(r); };
  auto const y = golden::points;
  for (Kernel kernel : {Kernel::stokeslet, Kernel::laplace}) {
    auto const s = golden::strengths(kernel);
    auto const whole = oracle::ewald(kernel, false, unit, y, y, s);
    auto const near = oracle::near_part(kernel, false, unit, y, y, s, 15, phi, phi1, phi2);
    double const background = kernel == Kernel::laplace ? -pi * 0.5 / double(xi * xi) : 0;
    for (std::size_t i = 0; i < whole.size(); ++i) CHECK(std::abs(whole[i] - near[i] - background) < 1e-10);
  }
}
