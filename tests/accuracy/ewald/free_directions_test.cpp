// SPDX-License-Identifier: BSD-3-Clause
#include "tests/accuracy/solve.hpp"
#include "tests/oracle/golden.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace nearfar;

namespace {

constexpr Kernel kernels[] = {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace};
constexpr Split splits[] = {Split::pswf, Split::gaussian};
constexpr Periodicity with_free[] = {Periodicity::none, Periodicity::x, Periodicity::xy};

golden::Fields const& exact(Periodicity p) {
  return p == Periodicity::none ? golden::free_space : p == Periodicity::x ? golden::periodic_x : golden::periodic_xy;
}

System random_system(Periodicity periodicity, Kernel kernel, oracle::Box const& box, std::size_t sources,
                     std::size_t targets, bool coinciding = true, bool single = false) {
  auto system = nearfar::random_system(kernel, box, sources, targets, 11, coinciding, single);
  system.periodicity = periodicity;
  return system;
}

std::string label(System const& s, Split split, EwaldPlanning const& p) {
  std::string text = "periodic " + std::string(name(s.periodicity)) + " box";
  for (double edge : p.box) text += " " + std::to_string(edge);
  return text + " " + describe(s, split, p);
}

/// Whole and far part, both to the tolerance.
void check_both(Runtime const& runtime, System const& system, std::vector<double> const& reference,
                EwaldOptions const& options) {
  auto const outcome = solve(runtime, system, options);
  auto const text = label(system, options.split, outcome.parameters);
  check_error(text + ", whole", system, outcome.whole, reference, options.tolerance);
  check_error(text + ", far", system, outcome.far, far_reference(system, reference, options.split, outcome.parameters),
              options.tolerance);
}

void check_both(Runtime const& runtime, System const& system, EwaldOptions const& options) {
  check_both(runtime, system, whole_reference(system), options);
}

}  // namespace

TEST_CASE("free directions: golden vectors") {
  Runtime const runtime;
  for (Periodicity periodicity : with_free)
    for (Kernel kernel : kernels)
      for (Split split : splits) {
        System const system{kernel, {1, 1, 1}, golden::points, golden::points, golden::strengths(kernel), periodicity};
        auto const outcome = solve(runtime, system, {.tolerance = 1e-12, .split = split});
        check_error(label(system, split, outcome.parameters), system, outcome.whole, exact(periodicity).rows(kernel),
                    1e-11);
      }
}

TEST_CASE("free space: every tolerance, whole and far part") {
  Runtime const runtime;
  for (Kernel kernel : kernels) {
    auto const system = random_system(Periodicity::none, kernel, {1, 1.2, .9}, 2000, 300);
    auto const reference = whole_reference(system);
    for (double tolerance : {1e-3, 1e-6, 1e-9, 1e-12}) check_both(runtime, system, reference, {.tolerance = tolerance});
    check_both(runtime, system, reference, {.tolerance = 1e-6, .split = Split::gaussian});
    check_both(runtime, system, reference, {.tolerance = 1e-6, .window = Window::pswf});
  }
}

TEST_CASE("free space: by the table of the influence function, in long boxes too") {
  Runtime const runtime;
  for (Kernel kernel : kernels)
    for (oracle::Box const& box : {oracle::Box{1, 1.2, .9}, {1, 4, 1}, {3, 1, 1}}) {
      auto const system = random_system(Periodicity::none, kernel, box, 500, 100);
      auto const reference = whole_reference(system);
      for (double tolerance : {1e-6, 1e-9, 1e-12})
        check_both(runtime, system, reference, {.tolerance = tolerance, .influence = Influence::table});
    }
}

TEST_CASE("free space: the far part is the same with the table and without it, to rounding") {
  Runtime const runtime;
  for (Kernel kernel : kernels) {
    auto const system = random_system(Periodicity::none, kernel, {1, 1.2, .9}, 100, 100);
    EwaldOptions options{.tolerance = 1e-6, .influence = Influence::table, .cutoff = 0.2};
    auto const chosen = solve(runtime, system, options).parameters;
    options.grid = chosen.grid;
    options.window_points = chosen.window_points;  // by hand for both, since windows set by hand are fitted finer
    options.split_parameter = chosen.split_parameter;
    auto const table = solve(runtime, system, options);
    CHECK(table.parameters.influence_table);
    options.influence = Influence::direct;
    auto const direct = solve(runtime, system, options);
    CHECK(!direct.parameters.influence_table);
    check_error(label(system, Split::pswf, table.parameters) + ", table and direct", system, table.far, direct.far,
                1e-13);
  }
}

TEST_CASE("periodic x and xy: every tolerance, boxes of three different edges, targets that are not sources") {
  Runtime const runtime;
  for (Periodicity periodicity : {Periodicity::x, Periodicity::xy})
    for (Kernel kernel : kernels) {
      auto const system = random_system(periodicity, kernel, {1, 1.3, .8}, 40, 30, false);
      auto const reference = whole_reference(system);
      for (double tolerance : {1e-3, 1e-6, 1e-9, 1e-12})
        check_both(runtime, system, reference, {.tolerance = tolerance});
      check_both(runtime, system, reference, {.tolerance = 1e-6, .split = Split::gaussian});
    }
}

TEST_CASE("free directions: long, flat and large boxes") {
  Runtime const runtime;
  for (Kernel kernel : kernels) {
    for (oracle::Box const& box : {oracle::Box{8, 1, 2}, {1, 1, 6}, {5000, 5000, 300}})
      check_both(runtime, random_system(Periodicity::none, kernel, box, 3000, 300), {.tolerance = 1e-5});
    for (oracle::Box const& box : {oracle::Box{4, 1, 1}, {1, 3, 1}, {1, 1, 4}, {300, 70, 100}})
      for (Periodicity periodicity : {Periodicity::x, Periodicity::xy})
        check_both(runtime, random_system(periodicity, kernel, box, 30, 30), {.tolerance = 1e-5});
  }
}

TEST_CASE("free directions: the cutoff does not matter") {
  Runtime const runtime;
  for (Kernel kernel : kernels)
    for (Periodicity periodicity : with_free) {
      auto const system = random_system(periodicity, kernel, {1, .8, 1.1}, 40, 40);
      auto const reference = whole_reference(system);
      for (double cutoff : {0.2, 0.3, 0.5})
        check_both(runtime, system, reference, {.tolerance = 1e-8, .cutoff = cutoff});
    }
}

TEST_CASE("free directions: grids set by hand") {
  Runtime const runtime;
  for (Periodicity periodicity : with_free) {
    auto const system = random_system(periodicity, Kernel::stokeslet, {1, 1.2, .9}, 30, 30);
    std::array const grid{48, 50, 44};
    auto const outcome = solve(runtime, system, {.tolerance = 1e-5, .grid = grid});
    CHECK(outcome.parameters.grid == grid);
    check_error(label(system, Split::pswf, outcome.parameters), system, outcome.whole, whole_reference(system), 1e-5);
  }
}

TEST_CASE("free directions: single precision") {
  Runtime const runtime;
  for (Kernel kernel : kernels)
    for (Periodicity periodicity : with_free) {
      auto const system = random_system(periodicity, kernel, {1, 1.2, .9}, 40, 40, true, true);
      auto const reference = whole_reference(system);
      for (double tolerance : {1e-3, 1e-5}) {
        auto const outcome = solve<float>(runtime, system, {.tolerance = tolerance});
        check_error("single, " + label(system, Split::pswf, outcome.parameters), system, outcome.whole, reference,
                    tolerance);
      }
    }
}

TEST_CASE("free directions: edges left open") {
  Runtime const runtime;
  for (Periodicity periodicity : with_free) {
    auto system = random_system(periodicity, Kernel::stokeslet, {1, 1.2, .9}, 30, 30);
    auto const reference = whole_reference(system);
    for (std::size_t d = std::size_t(periodicity); d < 3; ++d) {
      system.box[d] = 0;
      for (auto* points : {&system.sources, &system.targets})
        for (std::size_t i = d; i < points->size(); i += 3) (*points)[i] -= 7;
    }
    auto const outcome = solve(runtime, system, {.tolerance = 1e-8});
    check_error(label(system, Split::pswf, outcome.parameters), system, outcome.whole, reference, 1e-8);
  }
}

TEST_CASE("free space: points on a line, in a plane, and two of them") {
  Runtime const runtime;
  for (Kernel kernel : kernels)
    for (std::size_t flat : {1, 2}) {
      auto system = random_system(Periodicity::none, kernel, {1, 1.2, .9}, 400, 50);
      for (auto* points : {&system.sources, &system.targets})
        for (std::size_t d = 0; d < flat; ++d)
          for (std::size_t i = d; i < points->size(); i += 3) (*points)[i] = 3;
      system.box = {0, 0, 0};
      auto const outcome = solve(runtime, system, {.tolerance = 1e-6});
      check_error(label(system, Split::pswf, outcome.parameters), system, outcome.whole, whole_reference(system), 1e-6);
    }
  for (Kernel kernel : kernels) {
    System const two{kernel,
                     {0, 0, 0},
                     {5, 6, 7},
                     {5, 8, 7},
                     std::vector<double>(std::size_t(strength_components(kernel)), 1.0),
                     Periodicity::none};
    auto const outcome = solve(runtime, two, {.tolerance = 1e-6});
    check_error(label(two, Split::pswf, outcome.parameters), two, outcome.whole, whole_reference(two), 1e-6);
  }
}
