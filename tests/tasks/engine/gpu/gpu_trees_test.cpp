// SPDX-License-Identifier: BSD-3-Clause
// Multipole trees that a GPU makes, compared with those that the host makes of views of the same points.
#include "tasks/fmm/point_set.hpp"
#include "tests/codelets/blocked_set.hpp"
#include "tests/core/tree/tree_points.hpp"
#include "tests/tasks/engine/gpu/device_memory.hpp"
#include "tests/tasks/problem.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <tuple>

using namespace nearfar;
using namespace nearfar::test;

namespace {

constexpr std::size_t count = 20000;

RowsIn view_of(std::vector<double> const& x) { return RowsIn::packed(x.data(), x.size() / 3, 3); }

std::vector<double> alternating(std::size_t points) {
  std::vector<double> charges(points, 1.0);
  for (std::size_t i = 0; i < points; i += 2) charges[i] = -1;
  return charges;
}

/// Coordinates around 0.5.
void move_a_little(std::vector<double>& x) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e-4 * (x[i] - 0.5) * std::sin(double(i));
}

/// Potentials and gradients.
std::vector<double> solved_by(Fmm& plan, FmmPoints const& points, std::vector<double> const& charges) {
  std::vector<double> u(4 * points.targets());
  plan.submit(points, charges, u).wait();
  return u;
}

std::span<double> put(DeviceMemory& memory, std::vector<double> const& numbers) {
  memory.upload(0, numbers.data(), sizeof(double) * numbers.size());
  return {reinterpret_cast<double*>(memory.data()), numbers.size()};
}

/// Several GPUs have fewer blocks of a tree that one of them makes.
void check_same_tree(FmmPlanning const& made, FmmPlanning const& by_host, int gpus = 1) {
  CHECK(made.capacity == by_host.capacity);
  CHECK(made.order == by_host.order);
  CHECK(made.depth == by_host.depth);
  CHECK(made.boxes == by_host.boxes);
  if (gpus == 1) CHECK(made.blocks == by_host.blocks);
  CHECK(made.translations == by_host.translations);
  CHECK(made.evaluations == by_host.evaluations);
  CHECK(made.expansions == by_host.expansions);
  CHECK(made.pairs == by_host.pairs);
}

double difference(std::vector<double> const& a, std::vector<double> const& b) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += (a[i] - b[i]) * (a[i] - b[i]);
    norm += b[i] * b[i];
  }
  return std::sqrt(error / norm);
}

}  // namespace

TEST_CASE(
    "trees on one level that a GPU makes: the bits of those that the host makes, moved points too; what is refused") {
  if (DeviceMemory::devices() == 0) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  for (Periodicity const periodicity : {Periodicity::none, Periodicity::xyz}) {
    CAPTURE(int(periodicity));
    FmmOptions options{.outputs = Output::potential | Output::gradient, .periodicity = periodicity, .tolerance = 1e-5};
    if (periodicity == Periodicity::xyz) options.box = {1, 1, 1};
    Fmm plan(runtime, options);
    Problem<double> p(count, 1);
    for (double& x : p.x) x = (x + 0.1) / 1.2;
    double sum = 0;
    for (double f : p.f) sum += f;
    for (double& f : p.f) f -= sum / count;
    auto const solved = [&](auto const& points) {
      std::vector<double> u(4 * count);
      plan.submit(points, p.f, u).wait();
      return u;
    };
    auto const by_host = [&](std::vector<double> const& x) { return plan.set_points(view_of(x)); };
    auto points = plan.set_points(p.x);
    CHECK(points.parameters().capacity == 0);
    check_same_tree(points.parameters(), by_host(p.x).parameters());
    CHECK(solved(points) == solved(by_host(p.x)));
    DeviceMemory memory(sizeof(double) * p.x.size());
    auto const x = put(memory, p.x);
    CHECK(solved(plan.set_points(std::span<double const>(x))) == solved(points));
    for (int step = 0; step < 3; ++step) {
      for (std::size_t i = 0; i < p.x.size(); ++i) p.x[i] += 1e-3 * std::sin(double(i));
      points = plan.move_points(points, p.x);
      auto const moved = solved(points), set = solved(by_host(p.x));
      CHECK(difference(moved, set) < 1e-5);
    }
    auto same = p.x;
    std::copy_n(same.begin() + 30, 3, same.begin() + 1200);
    CHECK_THROWS_WITH_AS(plan.set_points(same), doctest::Contains("10 and 400"), Error);
    same[1200] = std::nan("");
    CHECK_THROWS_WITH_AS(plan.set_points(same), doctest::Contains("source 400"), Error);
  }
}

TEST_CASE("trees on several levels that a GPU makes: the bits of those that the host makes, moved points too") {
  if (DeviceMemory::devices() == 0) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  for (auto const& [kind, capacity] : {std::pair<std::string, int>{"plummer", 0},
                                       {"plummer", 40},
                                       {"two galaxies", 0},
                                       {"two galaxies", 200},
                                       {"line", 0},
                                       {"cusp", 64},
                                       {"two corners", 64}}) {
    CAPTURE(kind);
    CAPTURE(capacity);
    FmmOptions options{.outputs = Output::potential | Output::gradient, .tolerance = 1e-5};
    if (capacity > 0) options.capacity = capacity;
    Fmm plan(runtime, options);
    std::vector<double> x = tree_points(kind, 3 * count);
    std::vector<double> const f(x.size() / 3, 1.0);
    auto const solved = [&](auto const& points) {
      std::vector<double> u(4 * f.size());
      plan.submit(points, f, u).wait();
      return u;
    };
    solved(plan.set_points(view_of(x)));  // after which the plan may be finer
    auto points = plan.set_points(x);
    auto const of_view = plan.set_points(view_of(x));
    check_same_tree(points.parameters(), of_view.parameters());
    CHECK(solved(points) == solved(of_view));
    DeviceMemory memory(sizeof(double) * x.size());
    CHECK(solved(plan.set_points(std::span<double const>(put(memory, x)))) == solved(of_view));
    for (int step = 0; step < 2; ++step) {
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += 1e-4 * x[i] * std::sin(double(i));
      points = plan.move_points(points, x);
      CHECK(difference(solved(points), solved(plan.set_points(view_of(x)))) < 1e-5);
    }
  }
}

TEST_CASE("trees of separate targets that a GPU makes: the bits of those that the host makes, moved points too") {
  if (DeviceMemory::devices() == 0) return;
  Runtime const runtime({.scheduler = "overlap", .cpus = 2, .gpus = 1});
  for (auto const& [from, to, periodic] : {std::tuple<std::string, std::string, bool>{"uniform", "uniform", false},
                                           {"uniform", "uniform", true},
                                           {"plummer", "uniform", false},
                                           {"uniform", "two galaxies", false},
                                           {"one box", "two corners", false}}) {
    CAPTURE(from);
    CAPTURE(to);
    CAPTURE(periodic);
    FmmOptions options{.outputs = Output::potential | Output::gradient, .tolerance = 1e-5};
    if (periodic) {
      options.periodicity = Periodicity::xyz;
      options.box = {1, 1, 1};
    }
    Fmm plan(runtime, options);
    std::vector<double> x = tree_points(from, 2 * count), y = tree_points(to, 3 * count, 2);
    for (auto* const rows : {&x, &y})
      for (double& v : *rows) v += 0.5;
    std::vector<double> const f = alternating(x.size() / 3);
    auto const solved = [&](auto const& points) { return solved_by(plan, points, f); };
    solved(plan.set_points(view_of(x), view_of(y)));  // after which the plan may be finer
    auto points = plan.set_points(x, y);
    auto const of_views = plan.set_points(view_of(x), view_of(y));
    check_same_tree(points.parameters(), of_views.parameters());
    CHECK(solved(points) == solved(of_views));
    for (auto* const rows : {&x, &y}) move_a_little(*rows);
    points = plan.move_points(points, x, y);
    if (periodic) CHECK(points.set()->reviewed());  // others may have left their root, in which they would be compared
    CHECK(difference(solved(points), solved(plan.set_points(view_of(x), view_of(y)))) < 1e-5);
    for (double& v : x) v = 0.5 + 0.4 * (v - 0.5);  // sources alone: a review of before tells nothing of it
    CHECK(!plan.move_points(points, x, y).set()->reviewed());
  }
}

TEST_CASE("trees that the first of several GPUs makes in parts: sums of those that the host makes, moved points too") {
  for (int gpus = 2; gpus <= std::min(DeviceMemory::devices(), BoxCounts::most_parts); gpus *= 2)
    for (auto const& [kind, periodic, same, capacity] :
         {std::tuple<std::string, bool, bool, int>{"uniform", false, true, 0},
          {"uniform", true, true, 0},
          {"plummer", false, true, 40},
          {"two galaxies", false, false, 100},
          {"line", false, true, 100},
          {"two corners", false, false, 100}}) {
      CAPTURE(gpus);
      CAPTURE(kind);
      CAPTURE(periodic);
      Runtime const runtime({.scheduler = "overlap", .cpus = 2 * gpus, .gpus = gpus});
      FmmOptions options{.outputs = Output::potential | Output::gradient, .tolerance = 1e-5};
      options.near_precision = NearPrecision::double_;  // leaves may be cut into other pieces, which add up otherwise
      if (periodic) {
        options.periodicity = Periodicity::xyz;
        options.box = {1, 1, 1};
      }
      if (capacity > 0) options.capacity = capacity;
      Fmm plan(runtime, options);
      std::vector<double> x = tree_points(kind, 3 * count), y = same ? x : tree_points("uniform", 2 * count, 2);
      for (auto* const rows : {&x, &y})
        for (double& v : *rows) v = 0.5 + 0.99 * v;
      std::vector<double> const f = alternating(x.size() / 3);
      auto const solved = [&](auto const& points) { return solved_by(plan, points, f); };
      auto const by_host = [&] { return same ? plan.set_points(view_of(x)) : plan.set_points(view_of(x), view_of(y)); };
      solved(by_host());  // after which the plan may be finer
      auto points = same ? plan.set_points(x) : plan.set_points(x, y);
      auto const of_views = by_host();
      CHECK(points.parameters().on_gpus);
      CHECK(points.set()->tree()->is_made_on_gpu());
      CHECK(points.set()->gpus() == gpus);
      check_same_tree(points.parameters(), of_views.parameters(), gpus);
      CHECK(difference(solved(points), solved(of_views)) < 1e-12);
      for (int step = 0; step < 3; ++step) {
        for (auto* const rows : {&x, &y}) move_a_little(*rows);
        if (same) y = x;
        points = same ? plan.move_points(points, x) : plan.move_points(points, x, y);
        CHECK(difference(solved(points), solved(by_host())) < 1e-5);
      }
    }
}
