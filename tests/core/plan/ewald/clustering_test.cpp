// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/clustering.hpp"
#include "core/math/constants.hpp"
#include "core/plan/ewald/parameters.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <random>

using namespace nearfar;

namespace {

using Edges = std::array<double, 3>;

std::vector<double> points_in(Edges const& low, Edges const& edge, std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<double> x(3 * count);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = low[i % 3] + edge[i % 3] * (random() / 4294967296.0);
  return x;
}

std::vector<double> points_on_sphere(double radius, std::size_t count) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  std::vector<double> x;
  for (std::size_t i = 0; i < count; ++i) {
    double const v[3] = {normal(random), normal(random), normal(random)};
    double const length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (double c : v) x.push_back(0.5 + radius * c / length);
  }
  return x;
}

Clustering of(Edges const& box, std::vector<double> const& x) {
  return {box, {0, 0, 0}, std::span<double const>(x), std::span<double const>(x)};
}

constexpr Edges unit{1, 1, 1}, long_box{4, 1, 0.5};

}  // namespace

TEST_CASE("clustering: evenly spread points have none, few or many, nor have lattices") {
  for (std::size_t count : {1, 2, 3, 10, 100, 1000, 30000})
    for (unsigned seed : {1u, 2u, 3u, 4u, 5u})
      for (Edges const& box : {unit, long_box}) {
        CAPTURE(count);
        CHECK(of(box, points_in({0, 0, 0}, box, count, seed)).even());
      }
  std::vector<double> lattice;
  for (int i = 0; i < 20 * 20 * 20; ++i)
    for (int k : {i / 400, i / 20 % 20, i % 20}) lattice.push_back((k + 0.5) / 20);
  CHECK(of(unit, lattice).even());
}

TEST_CASE("clustering: a cube in a corner holds as many times the pairs as the box is larger; also where it wraps") {
  for (double low : {0.0, 0.3, -0.05, 7.9}) {
    auto const x = points_in({low, low, low}, {0.125, 0.125, 0.125}, 100000, 1);
    Clustering const clustering = of(unit, x);
    REQUIRE(!clustering.even());
    for (double cutoff : {0.01, 0.002}) CHECK(clustering.at(cutoff) == doctest::Approx(512).epsilon(0.25));
    CHECK(clustering.at(0.62) == doctest::Approx(1).epsilon(0.01));
  }
}

TEST_CASE("clustering: on a sphere the pairs within r are N r^2 / (4 R^2)") {
  auto const x = points_on_sphere(0.4, 200000);
  Clustering const clustering = of(unit, x);
  for (double r : {0.02, 0.04, 0.08}) {
    double const expected = r * r / (4 * 0.16), even = 4 * pi<double> / 3 * r * r * r;
    CHECK(clustering.at(r) / (expected / even) == doctest::Approx(1).epsilon(0.35));
  }
}

TEST_CASE("clustering: sources far from the targets count as even") {
  auto const sources = points_in({0, 0, 0}, {0.1, 0.1, 0.1}, 5000, 1),
             targets = points_in({0.5, 0.5, 0.5}, {0.1, 0.1, 0.1}, 700, 2);
  Clustering const clustering(unit, {0, 0, 0}, std::span<double const>(sources), std::span<double const>(targets));
  CHECK(clustering.at(0.05) == 1);
}

TEST_CASE("plans: where points are dense the cutoff is shorter; even points get the plan of their number") {
  EwaldOptions const options{.tolerance = 1e-6};
  auto const even = choose_parameters<double>(options, 100000, 100000);
  auto const same = choose_parameters<double>(options, 100000, 100000, of(unit, points_in({0, 0, 0}, unit, 100000, 5)));
  CHECK(same.cutoff == even.cutoff);
  CHECK(same.cells == even.cells);
  CHECK(same.blocks == even.blocks);
  auto const dense =
      choose_parameters<double>(options, 100000, 100000, of(unit, points_in({0, 0, 0}, {0.1, 0.1, 0.1}, 100000, 5)));
  CHECK(dense.cutoff < 0.5 * even.cutoff);
  CHECK(dense.estimated_error <= options.tolerance);
}
