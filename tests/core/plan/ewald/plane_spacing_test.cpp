// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/plane_spacing.hpp"

#include "tests/oracle/random_points.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

using namespace nearfar;

namespace {

constexpr std::array<double, 3> unit{1, 1, 1};

PlaneSpacing of(std::vector<double> const& x, std::array<double, 3> const& box = unit) {
  return plane_spacing(box, {0, 0, 0}, std::span<double const>(x));
}

/// Both ions of each of m^3 cells, by turns or all of one kind first; `missing` says which are not there.
template <class Missing>
std::vector<double> caesium_chloride(int m, bool by_turns, double jitter, Missing const& missing) {
  std::vector<double> const random = random_points(2 * std::size_t(m * m * m), unit, 3);
  std::vector<double> x;
  for (int i = 0; i < 2 * m * m * m; ++i) {
    int const cell = by_turns ? i / 2 : i % (m * m * m), kind = by_turns ? i % 2 : i / (m * m * m);
    int const at[3] = {cell / m / m, cell / m % m, cell % m};
    if (missing(at, kind)) continue;
    for (int d = 0; d < 3; ++d)
      x.push_back((at[d] + 0.5 * kind + 0.3 + jitter * (random[std::size_t(3 * i + d)] - 0.5)) / m);
  }
  return x;
}

bool none(int const*, int) { return false; }

}  // namespace

TEST_CASE("planes: those of a crystal, in any order of its ions, out of place, or with some of them missing") {
  for (int m : {2, 4, 10, 32})
    for (bool by_turns : {true, false})
      for (double jitter : {0.0, 0.02, 0.08}) {
        CAPTURE(m);
        CAPTURE(by_turns);
        CAPTURE(jitter);
        auto const check = [&](PlaneSpacing const& spacing) {
          for (double s : spacing) CHECK(s == doctest::Approx(0.5 / m).epsilon(0.01 + jitter));
        };
        check(of(caesium_chloride(m, by_turns, jitter, none)));
        if (m < 4) continue;
        check(of(caesium_chloride(m, by_turns, jitter, [](int const* at, int) { return at[0] + at[1] + at[2] == 0; })));
        check(of(caesium_chloride(m, by_turns, jitter, [](int const* at, int) { return at[1] == 2; })));
        check(of(caesium_chloride(m, by_turns, jitter, [m](int const* at, int) { return at[2] > m / 2; })));
      }
}

TEST_CASE("planes: random points and few points lie on none; points may lie on planes across one axis alone") {
  for (std::size_t count : {0, 1, 8, 20, 100, 1000, 100000})
    for (unsigned seed : {1u, 2u, 3u, 4u, 5u}) CHECK(of(random_points(count, unit, seed)) == PlaneSpacing{0, 0, 0});
  auto x = random_points(1000, {1, 2, 1}, 7);
  for (std::size_t i = 0; i < x.size(); i += 3) x[i + 1] = std::floor(x[i + 1] * 8) / 8;
  auto const spacing = of(x, {1, 2, 1});
  CHECK(spacing[0] == 0);
  CHECK(spacing[1] == doctest::Approx(0.125));
  CHECK(spacing[2] == 0);
}

TEST_CASE("planes: a plan that has not seen its points knows a whole crystal by their count") {
  CHECK(plane_spacing_of_crystal(unit, 2 * 27)[0] == doctest::Approx(1.0 / 6));
  CHECK(plane_spacing_of_crystal({1, 2, 1}, 2 * 54)[1] == doctest::Approx(1.0 / 6));
  CHECK(plane_spacing_of_crystal(unit, 55)[0] == 0);
  CHECK(plane_spacing_of_crystal(unit, 2)[0] == 0);
}

// Half of the ions of one cell of zincblende: on no more planes than eight points have, but exactly.
TEST_CASE("planes: eight ions of a crystal") {
  std::vector<double> const ions = {0,    0,    0,    0.5,  0.5,  0,    0.5,  0,    0.5,  0,    0.5,  0.5,
                                    0.25, 0.25, 0.25, 0.75, 0.75, 0.25, 0.75, 0.25, 0.75, 0.25, 0.75, 0.75};
  for (double spacing : of(ions)) CHECK(spacing == doctest::Approx(0.25));
  std::vector<double> const random = random_points(8, unit, 3);
  std::vector<double> shaken = ions;
  for (std::size_t i = 0; i < ions.size(); ++i) shaken[i] += 0.3 + 1e-6 * random[i];
  for (double spacing : of(shaken)) CHECK(spacing == doctest::Approx(0.25).epsilon(1e-4));
}
