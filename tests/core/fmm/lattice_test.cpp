// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/lattice.hpp"
#include "core/fmm/lattice_strain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <doctest/doctest.h>

using namespace nearfar;

TEST_CASE("lattice sums of a cube: known values and identities") {  // fmm.md, Sec. 2
  struct Known {
    int separation;
    double s4, s6, s8, near;
  };
  for (auto const& k : {Known{0, 74.5974403847868, 412.797088392843, 131414.697523862, 0},
                        Known{1, 2.81193048718888, 0.547959087393084, 121.56157302098, 19.104083527688},
                        Known{2, 0.984854674525751, 0.0656234228599475, -0.686261191526675, -1}}) {
    CAPTURE(k.separation);
    auto const s = lattice_sums(20, k.separation);
    auto at = [&](int n, int m) { return s[std::size_t(real_index(n, m))]; };
    CHECK(at(4, 0) == doctest::Approx(k.s4).epsilon(1e-12));
    CHECK(at(6, 0) == doctest::Approx(k.s6).epsilon(1e-12));
    CHECK(at(8, 0) == doctest::Approx(k.s8).epsilon(1e-11));
    CHECK(at(4, 4) == doctest::Approx(5 * k.s4).epsilon(1e-12));
    CHECK(at(6, 4) == doctest::Approx(-7 * k.s6).epsilon(1e-11));
    CHECK(at(8, 4) == doctest::Approx(k.s8).epsilon(1e-11));
    CHECK(at(8, 8) == doctest::Approx(65 * k.s8).epsilon(1e-11));
    CHECK(std::abs(at(2, 0)) < 1e-14);
    for (int n = 0; n <= 20; ++n) {
      double size = 1;
      for (int m = 0; m <= n; ++m) size = std::max(size, std::abs(at(n, m)));
      for (int m = 0; m <= n; ++m) {
        if (n % 2 != 0 || m % 4 != 0) CHECK(std::abs(at(n, m)) <= 5e-13 * size);
        if (m > 0) CHECK(s[std::size_t(imag_index(n, m))] == 0);
      }
    }
    double near = 0;
    for (int i = -k.separation; i <= k.separation; ++i)
      for (int j = -k.separation; j <= k.separation; ++j)
        for (int l = -k.separation; l <= k.separation; ++l)
          if (i != 0 || j != 0 || l != 0) near += 1 / std::hypot(i, j, l);
    if (k.near >= 0) CHECK(near == doctest::Approx(k.near).epsilon(1e-7));
    CHECK(lattice_constant(k.separation) + near == doctest::Approx(-2.8372974794806).epsilon(1e-13));
  }
}

TEST_CASE("lattice sums do not depend on Ewald's parameter, whatever the cell") {
  for (std::array<double, 3> const& edge : {std::array{1.0, 1.0, 1.0}, std::array{1 / 1.3, 1.0, 0.8 / 1.3}})
    for (int separation : {1, 2}) {
      CAPTURE(edge[0]);
      CAPTURE(separation);
      auto const a = lattice_sums(40, separation, edge), b = lattice_sums(40, separation, edge, 1.2);
      for (int n = 2; n <= 40; n += 2) {
        double size = 0, difference = 0;
        for (int m = 0; m <= n; m += 2) {
          auto const i = std::size_t(real_index(n, m));
          size = std::max(size, std::abs(a[i]));
          difference = std::max(difference, std::abs(a[i] - b[i]));
        }
        if (n > 2 || edge[0] < 1) CHECK(difference < 1e-12 * size);
      }
      CHECK(lattice_constant(separation, edge) ==
            doctest::Approx(lattice_constant(separation, edge, 1.2)).epsilon(1e-13));
    }
}

TEST_CASE("boundary terms of a cell") {
  CellMoments const dipole{0, {1, 2, 3}, 5};
  auto const conductor = boundary_terms(dipole, 2, 1, Surrounding::conductor);
  CHECK(conductor.constant == doctest::Approx(2 * 3.14159265358979 / 24 * 5));
  CHECK(conductor.linear[2] == doctest::Approx(-4 * 3.14159265358979 / 24 * 3));
  CHECK(conductor.square == 0);
  auto const vacuum = boundary_terms(dipole, 2, 1, Surrounding::vacuum);
  CHECK(vacuum.constant == 0);
  CHECK(vacuum.linear[2] == 0);
  auto const charged = boundary_terms({2, {0, 0, 0}, 0}, 2, 1, Surrounding::conductor);
  CHECK(charged.constant == doctest::Approx(-2.8372974794806 - 19.104083527688));
  CHECK(charged.square == doctest::Approx(4 * 3.14159265358979 / 24));
}

TEST_CASE("lattice sums by strain: along axes as differences of edges say, and free of Ewald's parameter") {
  constexpr int degree = 12;
  constexpr double step = 1e-3;
  std::array<double, 3> const edge{1, 0.8, 0.9};
  for (int const separation : {1, 2}) {
    auto const found = lattice_sums_by_strain(degree, separation, edge),
               other = lattice_sums_by_strain(degree, separation, edge, 1.2);
    auto const constant = lattice_constant_by_strain(separation, edge),
               other_constant = lattice_constant_by_strain(separation, edge, 1.2);
    for (std::size_t t = 0; t < 6; ++t) {
      CHECK(constant[t] == doctest::Approx(other_constant[t]).epsilon(1e-12));
      double largest = 0;
      for (double const x : found[t]) largest = std::max(largest, std::abs(x));
      for (std::size_t i = 0; i < found[t].size(); ++i) CHECK(std::abs(found[t][i] - other[t][i]) < 1e-11 * largest);
      if (t > 2) continue;
      auto const at = [&](double strain) {
        auto e = edge;
        e[t] *= 1 + strain;
        return e;
      };
      auto const one = lattice_sums(degree, separation, at(step)),
                 minus_one = lattice_sums(degree, separation, at(-step)),
                 two = lattice_sums(degree, separation, at(2 * step)),
                 minus_two = lattice_sums(degree, separation, at(-2 * step));
      for (std::size_t i = 4; i < found[t].size(); ++i)
        CHECK(std::abs((8 * (one[i] - minus_one[i]) - (two[i] - minus_two[i])) / (12 * step) - found[t][i]) <
              1e-8 * largest);
      auto const c = [&](double strain) { return lattice_constant(separation, at(strain)); };
      CHECK((8 * (c(step) - c(-step)) - (c(2 * step) - c(-2 * step))) / (12 * step) ==
            doctest::Approx(constant[t]).epsilon(1e-9));
    }
  }
}
