// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/ewald/arrangement.hpp"
#include "core/plan/ewald/error/in_step.hpp"
#include "core/plan/ewald/sample.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <numbers>
#include <random>
#include <vector>

using namespace nearfar;

namespace {

constexpr std::array<double, 3> unit{1, 1, 1};

Arrangement of(std::vector<double> const& x) { return {unit, {0, 0, 0}, std::span<double const>(x)}; }

/// In a slab of the unit box.
std::vector<double> slab(double height, double thickness, std::size_t count) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> x;
  for (std::size_t i = 0; i < count; ++i)
    for (int d = 0; d < 3; ++d) x.push_back(d < 2 ? uniform(random) : height + thickness * uniform(random));
  return x;
}

/// Caesium chloride with m cells along each edge.
std::vector<double> crystal(int m) {
  std::vector<double> x;
  for (int i = 0; i < 2 * m * m * m; ++i)
    for (int at : {i / 2 / m / m, i / 2 / m % m, i / 2 % m}) x.push_back((at + 0.5 * (i % 2) + 0.25) / m);
  return x;
}

/// Of as many points as plans look at in later sets.
std::vector<double> sample_of(std::vector<double> const& x) {
  std::size_t const all = x.size() / 3, count = Arrangement::enough(all);
  std::vector<double> sample;
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t d = 0; d < 3; ++d) sample.push_back(x[3 * sampled(i, count, all) + d]);
  return sample;
}

}  // namespace

TEST_CASE("arrangement: how far sources are spread, across faces too") {
  auto x = slab(0.3, 0.06, 20000);
  for (std::size_t i = 1; i < x.size(); i += 3) x[i] /= 2;
  Arrangement const inside = of(x);
  CHECK(inside.spread()[0] > 0.3);  // all of the edge: no more is known
  CHECK(inside.spread()[1] == doctest::Approx(0.5 / std::sqrt(12.0)).epsilon(0.1));
  CHECK(inside.spread()[2] == doctest::Approx(0.06 / std::sqrt(12.0)).epsilon(0.02));
  for (std::size_t i = 2; i < x.size(); i += 3) x[i] = std::fmod(x[i] + 0.67, 1.0);
  CHECK(of(x).spread()[2] == doctest::Approx(inside.spread()[2]).epsilon(1e-6));
}

TEST_CASE("arrangement: only sources near a plane add up their errors in step, and only across it") {
  EwaldPlanning p;
  p.box = unit;
  p.grid = {32, 32, 32};
  auto const across = [&](double thickness) { return in_step_across(of(slab(0.3, thickness, 20000)), p); };
  CHECK(across(0)[2] == doctest::Approx(0.7));
  CHECK(across(0.2)[2] < 0.01);
  CHECK(across(1)[2] < 1e-6);
  for (std::size_t d : {0u, 1u}) CHECK(across(0)[d] < 1e-6);
  CHECK(in_step_across(Arrangement(), p) == std::array<double, 3>{});
}

TEST_CASE("arrangement: a small sample finds crystals of any size, and planes that a plan does not know of") {
  for (int m : {4, 7, 20, 50, 110}) {
    CAPTURE(m);
    auto const x = crystal(m);
    Arrangement const found = of(sample_of(x));
    CHECK(found.in_crystal());
    CHECK(crystal_error(found, 100) == doctest::Approx(4).epsilon(0.01));
    for (double spacing : found.planes()) CHECK(spacing == doctest::Approx(0.5 / m).epsilon(1e-3));
    CHECK(on_other_planes(found, {}, x.size() / 3));
    CHECK_FALSE(on_other_planes(found, of(x).planes(), x.size() / 3));
    CHECK(on_other_planes(found, of(crystal(m + 1)).planes(), x.size() / 3) == (m < 100));  // 1 % is the same
  }
}

TEST_CASE("arrangement: ions that are shaken are judged alike by many and by few of them that know the planes") {
  for (double deviation : {0.0, 0.02, 0.05, 0.1}) {
    CAPTURE(deviation);
    auto x = crystal(15);
    std::mt19937 random(6);
    std::normal_distribution<double> normal;
    for (double& at : x) at += deviation * std::clamp(normal(random), -2.5, 2.5) / 30;
    Arrangement const all = of(x);
    auto const few = sample_of(x);
    Arrangement const found{unit, {0, 0, 0}, std::span<double const>(few), {}, all.planes()};
    double const turns = 2 * std::numbers::pi * deviation;
    CHECK(all.order() == doctest::Approx(std::exp(-1.5 * turns * turns)).epsilon(0.1));
    CHECK(found.order() == doctest::Approx(all.order()).epsilon(0.1));
    CHECK(crystal_error(found, 100) == doctest::Approx(crystal_error(all, 100)).epsilon(0.1));
    CHECK(crystal_error(all, 100) == doctest::Approx(std::sqrt(1 + 15 * std::pow(all.order(), 2))));
    CHECK_FALSE(on_other_planes(found, all.planes(), x.size() / 3));
  }
  auto const molten = sample_of(slab(0, 1, 6750));
  CHECK(crystal_error({unit, {0, 0, 0}, std::span<double const>(molten), {}, of(crystal(15)).planes()}, 100) == 1);
}

TEST_CASE("arrangement: points at random are not on planes") {
  for (std::size_t count : {64, 100, 1000, 100000}) {
    Arrangement const found = of(sample_of(slab(0, 1, count)));
    CHECK_FALSE(found.on_planes());
    CHECK(crystal_error(found, 100) == 1);
  }
}

// Wurtzite, two cells on top of each other: heights are on no planes of one distance.
TEST_CASE("arrangement: a few ions that repeat within the box are a crystal") {
  std::vector<double> x, alone;
  for (auto const& [a, b, c] : {std::array{1 / 3.0, 2 / 3.0, 0.25},
                                {2 / 3.0, 1 / 3.0, 0.75},
                                {1 / 3.0, 2 / 3.0, 0.62},
                                {2 / 3.0, 1 / 3.0, 0.12}}) {
    alone.insert(alone.end(), {a, b, c});
    for (double cell : {0.0, 1.0}) x.insert(x.end(), {a + 1e-3 * cell, b, (c + cell) / 2 - 2e-3 * cell});
  }
  CHECK_FALSE(of(x).in_crystal());
  CHECK(of(x).order() == 1);
  CHECK(of(alone).order() == 0);
  x[0] += 0.2;
  CHECK(of(x).order() == 0);
  std::vector<double> compact = alone;
  for (double& at : compact) at = 0.5 + 0.01 * at;
  CHECK(of(compact).order() == 0);
  int by_chance = 0;
  for (unsigned seed = 0; seed < 1000; ++seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform;
    std::vector<double> few(12);
    for (double& at : few) at = uniform(random);
    by_chance += of(few).order() > 0;
  }
  CHECK(by_chance == 0);
}
