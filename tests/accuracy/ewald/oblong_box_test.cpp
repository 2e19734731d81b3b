// SPDX-License-Identifier: BSD-3-Clause
// Boxes far longer than their periods: thick slabs, long rods, far targets. Periods are what the caller gave.
#include "tests/accuracy/solve.hpp"

#include <doctest/doctest.h>
#include <nearfar/error.hpp>

#include <cmath>
#include <numbers>
#include <string>

using namespace nearfar;

namespace {

constexpr double pi = std::numbers::pi;
constexpr Kernel kernels[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace};
constexpr Periodicity with_both[] = {Periodicity::x, Periodicity::xy};

/// The same, with the edges of free directions left open.
System open(System s) {
  for (std::size_t d = std::size_t(s.periodicity); d < 3; ++d) s.box[d] = 0;
  return s;
}

/// Solved by a plan that sees the points before it is made, in a box whose periods are still the caller's.
std::vector<double> answer(Runtime const& runtime, System const& s, double tolerance, double* told = nullptr,
                           Split split = Split::pswf) {
  BasicEwald<double> plan(runtime, {.kernel = s.kernel,
                                    .outputs = s.outputs(),
                                    .periodicity = s.periodicity,
                                    .box = s.box,
                                    .tolerance = tolerance,
                                    .split = split});
  auto const points = s.targets == s.sources
                          ? plan.set_points(std::span<double const>(s.sources))
                          : plan.set_points(std::span<double const>(s.sources), std::span<double const>(s.targets));
  std::vector<double> u(points.targets() * std::size_t(result_components(s.kernel, s.outputs())));
  auto solve = plan.submit(points, s.strengths, u);
  if (told != nullptr) *told = solve.report().sampled_error;
  solve.wait();
  for (std::size_t d = 0; d < std::size_t(s.periodicity); ++d) CHECK(plan.parameters().box[d] == s.box[d]);
  return u;
}

/// Two clouds so far apart along z, and up to one period wide along x and y.
System two_clouds(Kernel kernel, Periodicity periodicity, double apart, std::size_t count) {
  System s = random_system(kernel, {1, 1.25, 1}, count, count, 5);
  s.periodicity = periodicity;
  s.box[2] = apart + 1;
  for (std::size_t i = 0; i < s.sources.size(); i += 6) s.sources[i + 2] += apart;
  s.targets = s.sources;
  return s;
}

}  // namespace

TEST_CASE("oblong boxes: one charge, one force, and a target far away") {
  Runtime const runtime;
  for (double far : {12.0, 120.0, 999.0}) {
    std::vector<double> const sources{0.3, 0.4, 0.5}, targets{0.3, 0.4, 0.5 + far, 0.8, 0.1, 0.5 - far};
    for (bool left_open : {true, false}) {
      CAPTURE(far);
      CAPTURE(left_open);
      double const shift = far;  // so that points are in a box that begins at 0
      auto const system = [&](Kernel kernel, Periodicity p, std::vector<double> strengths) {
        System s{kernel, {1, 1, 0}, sources, targets, std::move(strengths), p};
        if (p == Periodicity::x) s.box[1] = left_open ? 0 : 1;
        if (!left_open) {
          s.box[2] = 2 * far + 1;
          for (auto* points : {&s.sources, &s.targets})
            for (std::size_t i = 2; i < points->size(); i += 3) (*points)[i] += shift;
        }
        return s;
      };
      auto const slab = answer(runtime, system(Kernel::laplace, Periodicity::xy, {1}), 1e-8);
      std::vector<double> const of_slab{-2 * pi * far, 0, 0, -2 * pi, -2 * pi * far, 0, 0, 2 * pi};
      CHECK(oracle::relative_error(slab, of_slab, 4, 0, 1) < 1e-8);
      CHECK(oracle::relative_error(slab, of_slab, 4, 1, 3) < 1e-8);
      auto const forces = answer(runtime, system(Kernel::stokeslet, Periodicity::xy, {1, -2, 3}), 1e-8);
      CHECK(oracle::relative_error(
                forces, std::vector<double>{-4 * pi * far, 8 * pi * far, 0, -4 * pi * far, 8 * pi * far, 0}) < 1e-8);
      auto const line = answer(runtime, system(Kernel::laplace, Periodicity::x, {1}), 1e-8);
      double const rho = std::hypot(far, 0.3);

      CHECK(std::abs(line[0] + 2 * std::log(far)) < 3e-8 * std::abs(line[0]));
      CHECK(std::abs(line[4] + 2 * std::log(rho)) < 3e-8 * std::abs(line[4]));
      CHECK(std::abs(line[3] + 2 / far) < 3e-8 * std::abs(2 / far));
    }
  }
}

TEST_CASE("oblong boxes: clouds far apart, every kernel") {
  Runtime const runtime;
  for (Periodicity periodicity : with_both)
    for (Kernel kernel : kernels)
      for (double apart : {40.0, 150.0, 1000.0}) {
        auto const system = two_clouds(kernel, periodicity, apart, 12);
        auto const reference = whole_reference(system);
        auto const what = std::string(name(kernel)) + ", periodic " + std::string(name(periodicity)) + ", " +
                          std::to_string(apart) + " apart";
        check_error(what, system, answer(runtime, system, 1e-7), reference, 1e-7);
        check_error(what + ", open", system, answer(runtime, open(system), 1e-7), reference, 1e-7);
      }
}

TEST_CASE("oblong boxes: long cells that repeat in all directions") {
  Runtime const runtime;
  for (Kernel kernel : kernels) {
    System system = random_system(kernel, {1, 30, 1.5}, 30, 30, 7);
    check_error(std::string(name(kernel)) + ", cell of 1 : 30", system, answer(runtime, system, 1e-7),
                whole_reference(system), 1e-7);
  }
}

TEST_CASE("oblong boxes: strengths of one sign, every output keeps the tolerance or the solve tells that it does not") {
  Runtime const runtime;
  for (Periodicity periodicity : with_both)
    for (Kernel kernel : kernels)
      for (double wide : {30.0, 99.0})
        for (double tolerance : {1e-5, 1e-8}) {
          System system = random_system(kernel, {1, periodicity == Periodicity::x ? wide : 1.0, wide}, 20, 20, 9);
          system.periodicity = periodicity;
          system.strengths.assign(system.strengths.size(), 1.0);
          auto const reference = whole_reference(system);
          double told = 0;
          auto const result = answer(runtime, open(system), tolerance, &told);
          check_error(std::string(name(kernel)) + " of one sign, periodic " + std::string(name(periodicity)) + ", " +
                          std::to_string(wide) + " wide",
                      system, result, reference, std::max(tolerance, told));
        }
}

TEST_CASE("oblong boxes: a cloud of one sign in a free edge of thousands of periods, set by hand") {
  // The cutoff is a hundred periods: what fits and single precision leave of pairs adds up over some 50,000 images.
  Runtime const runtime;
  for (Kernel kernel : {Kernel::laplace, Kernel::stokeslet})
    for (double tolerance : {1e-6, 1e-9}) {
      System cloud = random_system(kernel, {0.745, 0.724, 2}, 10, 10, 11);
      cloud.periodicity = Periodicity::xy;
      for (double& strength : cloud.strengths) strength = 1 + 0.1 * strength;
      auto const reference = whole_reference(cloud);
      cloud.box[2] = 2739.336;
      for (std::size_t i = 2; i < cloud.sources.size(); i += 3) cloud.sources[i] += 1200;
      cloud.targets = cloud.sources;
      double told = 0;
      auto const result = answer(runtime, cloud, tolerance, &told);
      check_error(std::string(name(kernel)) + ", a cloud of one sign", cloud, result, reference,
                  std::max(tolerance, told));
      CHECK(told < 2 * tolerance);
    }
}

TEST_CASE("oblong boxes: a few sources of one sign in a free edge of thousands of periods, set by hand") {
  // Cutoffs of hundreds of periods: what they leave out of the erf split, and modes across the layer, add up.
  Runtime const runtime;
  for (Kernel kernel : {Kernel::laplace, Kernel::stokeslet})
    for (std::size_t count : {2, 4}) {
      System cloud = random_system(kernel, {1, 1, 1}, count, count, 5);
      cloud.periodicity = Periodicity::xy;
      for (double& strength : cloud.strengths) strength = std::abs(strength);
      auto const reference = whole_reference(cloud);
      for (std::size_t i = 2; i < cloud.sources.size(); i += 3) cloud.sources[i] += 200;
      cloud.targets = cloud.sources;
      cloud.box[2] = 2739;
      for (double const tolerance : {1e-8, 1e-11})
        for (Split const split : {Split::pswf, Split::gaussian}) {
          double told = 0;
          auto const result = answer(runtime, cloud, tolerance, &told, split);
          CAPTURE(count);
          CAPTURE(std::string(name(split)));
          check_error(std::string(name(kernel)) + ", a few of one sign", cloud, result, reference,
                      std::max(tolerance, told));
        }
    }
}

TEST_CASE("oblong boxes: what no grid serves is refused by the caller's numbers") {
  Runtime const runtime;
  auto const message = [&](EwaldOptions options, std::vector<double> const& targets) -> std::string {
    std::vector<double> const source{0, 0, 0};
    try {
      options.kernel = Kernel::laplace;
      Ewald plan(runtime, options);
      plan.set_points(std::span<double const>(source), std::span<double const>(targets));
    } catch (Error const& e) {
      CHECK(e.fault() == Fault::bad_input);
      return e.what();
    }
    return "none";
  };
  auto const says = [](std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
  };
  auto const slab = message({.periodicity = Periodicity::xy, .box = {1, 1, 0}}, {0, 0, 2.5e6});
  CHECK_MESSAGE(says(slab, "spread of the points along z is 2.5e+06 and the period along x is 1 "), slab);
  auto const cell = message({.periodicity = Periodicity::xyz, .box = {0.5, 1, 1e6}}, {0.1, 0, 0});
  CHECK_MESSAGE(says(cell, "the period along z is 1e+06 and the period along x is 0.5 "), cell);
  CHECK(message({.periodicity = Periodicity::none, .box = {0, 0, 0}}, {0, 0, 2.5e6}) == "none");
}
