// SPDX-License-Identifier: BSD-3-Clause
// A plan whose cell changes: sums are those of a plan made for that cell.
#include "tasks/ewald/plan.hpp"
#include "tests/tasks/motion.hpp"

#include "tests/oracle/oracle.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cmath>

using namespace nearfar;
using test::refusal_of;

namespace {

using Rows = std::array<std::array<double, 3>, 3>;
using Numbers = std::vector<double>;

constexpr Rows cube{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

Rows sheared(double tilt) { return {{{1, 0, 0}, {tilt, 1, 0}, {0, 0, 1}}}; }

struct Suspension {
  Numbers x, f;
};

Suspension in_cube(std::size_t count, Kernel kernel, unsigned seed = 3) {
  auto const p = test::inside_unit_box(count, strength_components(kernel), seed);
  return {p.x, p.f};
}

template <class T = double>
std::vector<T> at(BasicEwald<T>& plan, BasicPoints<T> const& points, std::vector<T> const& f) {
  std::vector<T> u(points.targets() * std::size_t(result_components(plan.options().kernel, plan.options().outputs)));
  plan.submit(points, std::span<T const>(f), std::span<T>(u)).wait();
  return u;
}

EwaldOptions options_for(Kernel kernel, double tolerance, Periodicity periodicity = Periodicity::xyz) {
  EwaldOptions options{.kernel = kernel, .periodicity = periodicity};
  options.outputs = first_output(kernel);
  if (kernel == Kernel::laplace) options.outputs = Output::potential | Output::gradient;
  if (kernel == Kernel::yukawa) options.screening = 3;
  options.tolerance = tolerance;
  return options;
}

/// What a plan for that cell finds, in seven more digits.
Numbers exact(Runtime const& runtime, EwaldOptions options, Rows const& rows, Suspension const& s) {
  options.box = {1, 1, 1};
  options.cell = rows;
  options.tolerance = 1e-11;
  options.split = Split::gaussian;
  Ewald plan(runtime, options);
  return at(plan, plan.set_points(s.x), s.f);
}

}  // namespace

TEST_CASE("set_cell: sums are those of a plan for that cell, at all strains, of all kernels") {
  Runtime const runtime({.gpus = 0});
  for (Kernel const kernel : {Kernel::stokeslet, Kernel::stresslet, Kernel::stokes, Kernel::laplace, Kernel::rotlet,
                              Kernel::doublet, Kernel::dipole, Kernel::charge_dipole, Kernel::yukawa}) {
    CAPTURE(name(kernel));
    auto const s = in_cube(300, kernel);
    EwaldOptions const options = options_for(kernel, 1e-5);
    Ewald plan(runtime, options);
    auto points = plan.set_points(s.x);
    for (double const tilt : {0.0, 0.05, 0.3, 0.5, 0.75, 1.0}) {
      CAPTURE(tilt);
      points = plan.set_cell(points, sheared(tilt));
      CHECK(oracle::relative_error(at(plan, points, s.f), exact(runtime, options, sheared(tilt), s)) < 1e-5);
    }
  }
}

TEST_CASE("set_cell: any strain, of layers and lines too, whose free edges follow from the points") {
  Runtime const runtime({.gpus = 0});
  auto const s = in_cube(300, Kernel::stokeslet);
  struct Strained {
    Periodicity periodicity;
    Rows rows[2];
  };
  for (auto const& [periodicity, cells] :
       {Strained{Periodicity::xyz, {{{{1.02, 0, 0}, {0.1, 1, 0}, {-0.05, 0.2, 0.97}}}, cube}},
        Strained{Periodicity::xy, {{{{1.1, 0.2, 0}, {-0.1, 1, 0}, {}}}, {{{2, 0, 0}, {1, 0.8, 0}, {}}}}},
        Strained{Periodicity::x, {{{{1.01, 0, 0}, {}, {}}}, {{{0.5, 0, 0}, {}, {}}}}}}) {
    CAPTURE(name(periodicity));
    EwaldOptions options = options_for(Kernel::stokeslet, 1e-5, periodicity);
    for (int d = 0; d < 3; ++d)
      if (!is_periodic(periodicity, d)) options.box[std::size_t(d)] = 0;
    Ewald plan(runtime, options);
    auto points = plan.set_points(s.x);
    for (Rows const& rows : cells) {
      points = plan.set_cell(points, rows);
      CHECK(oracle::relative_error(at(plan, points, s.f), exact(runtime, options, rows, s)) < 1e-5);
    }
  }
}

TEST_CASE("set_cell: a sheared cell keeps the parameters, and depends on no cell between; a stretched one does not") {
  Runtime const runtime({.gpus = 0});
  auto const s = in_cube(1000, Kernel::stokeslet);
  EwaldOptions const options = options_for(Kernel::stokeslet, 1e-6);
  Ewald plan(runtime, options);
  auto const first = plan.set_points(s.x);
  Numbers const before = at(plan, first, s.f);
  auto const grid = plan.parameters().grid;
  double const cutoff = plan.parameters().cutoff;

  auto points = plan.set_cell(first, sheared(0.01));
  points = plan.set_cell(points, sheared(0.0625));
  Numbers const in_steps = at(plan, points, s.f);
  CHECK(plan.parameters().grid == grid);
  CHECK(plan.parameters().cutoff == cutoff);
  CHECK(plan.parameters().cell == sheared(0.0625));
  CHECK(plan.parameters().estimated_error <= 1e-6);

  CHECK(at(plan, plan.set_cell(points, cube), s.f) == before);
  CHECK(at(plan, plan.set_cell(first, sheared(0.0625)), s.f) == in_steps);
  CHECK(at(plan, plan.set_cell(first, sheared(1.0625)), s.f) == in_steps);
  CHECK(at(plan, plan.set_cell(first, sheared(-4.9375)), s.f) == in_steps);
  CHECK(at(plan, first, s.f) == before);  // in its own cell, whatever the plan's is

  plan.set_cell(first, {{{2, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
  CHECK(plan.parameters().grid != grid);
  CHECK(plan.parameters().box == std::array<double, 3>{2, 1, 1});
}

TEST_CASE("set_cell: sheared steps use the memory of grids of the steps before") {
  Runtime const runtime({.gpus = 0});
  auto const s = in_cube(1000, Kernel::stokeslet);
  for (FarPrecision const far : {FarPrecision::double_, FarPrecision::single}) {
    EwaldOptions options = options_for(Kernel::stokeslet, 1e-4);
    options.far_precision = far;
    Ewald plan(runtime, options);
    auto points = plan.set_cell(plan.set_points(s.x), sheared(0.25));
    at(plan, points, s.f);
    int kept = 0;
    for (double const tilt : {0.251, 0.252, 0.253, 0.3}) {
      CAPTURE(tilt);
      auto const before = points.set();
      points = plan.set_cell(points, sheared(tilt));
      kept += points.set()->setup().shares_workspaces(before->setup());
      Numbers const u = at(plan, points, s.f);
      CHECK(oracle::relative_error(u, exact(runtime, options_for(Kernel::stokeslet, 1e-4), sheared(tilt), s)) < 1e-4);
      CHECK(at(plan, points, s.f) == u);
    }
    CHECK(kept >= 2);
  }
}

TEST_CASE("set_cell: points keep their coordinates, and may be given again in the new cell") {
  Runtime const runtime({.gpus = 0});
  for (Kernel const kernel : {Kernel::laplace, Kernel::stresslet}) {  // without and with coordinates as given
    CAPTURE(name(kernel));
    auto const s = in_cube(400, kernel);
    Ewald plan(runtime, options_for(kernel, 1e-6));
    auto const first = plan.set_points(s.x);
    Rows const rows{{{1.1, 0, 0.03}, {0.2, 1, 0}, {0.1, -0.1, 0.95}}};
    auto const kept = plan.set_cell(first, rows);
    Numbers const u = at(plan, kept, s.f);
    CHECK(at(plan, plan.move_points(first, s.x), s.f) == u);
    CHECK(at(plan, plan.set_points(s.x), s.f) == u);
    plan.set_cell(cube);
    plan.set_cell(rows);
    CHECK(at(plan, plan.set_points(s.x), s.f) == u);
    auto const apart = plan.set_points(s.x, s.x);  // two sets
    CHECK(oracle::relative_error(at(plan, plan.set_cell(apart, rows), s.f), u) < 1e-6);
  }
}

TEST_CASE("set_cell: points of a tilted cell are where they were given in it") {
  Runtime const runtime({.gpus = 0});
  auto s = in_cube(200, Kernel::laplace);
  Rows const tilted = sheared(0.7), strained{{{1.2, 0, 0}, {0.7, 1, 0.1}, {0, 0, 1}}};
  for (std::size_t i = 0; i < s.x.size(); i += 3) s.x[i] += 0.7 * s.x[i + 1];  // some are outside of the reduced cell
  EwaldOptions options = options_for(Kernel::laplace, 1e-6);
  Numbers const u = exact(runtime, options, strained, s);
  options.cell = tilted;
  Ewald plan(runtime, options);
  auto const points = plan.set_points(s.x);
  CHECK(oracle::relative_error(at(plan, plan.set_cell(points, strained), s.f), u) < 1e-6);
}

TEST_CASE("set_cell: weak fields, coarser plans, single precision") {
  Runtime const runtime({.gpus = 0});
  SUBCASE("a crystal, whose solves need a finer plan, is strained") {
    Suspension salt;
    for (int i = 0; i < 216; ++i) {
      int const at[3] = {i / 36, i / 6 % 6, i % 6};
      for (int const a : at) salt.x.push_back(a / 6.0);
      salt.f.push_back((at[0] + at[1] + at[2]) % 2 == 0 ? 1 : -1);
    }
    salt.x[0] += 0.01;
    EwaldOptions const options = options_for(Kernel::laplace, 1e-6);
    Ewald plan(runtime, options);
    auto points = plan.set_points(salt.x);
    at(plan, points, salt.f);
    for (double const tilt : {0.02, 0.04}) {
      points = plan.set_cell(points, sheared(tilt));
      Numbers const u = at(plan, points, salt.f), v = exact(runtime, options, sheared(tilt), salt);
      CHECK(oracle::relative_error(u, v, 4, 0, 1) < 1e-6);
      CHECK(oracle::relative_error(u, v, 4, 1, 3) < 1e-6);
    }
  }
  SUBCASE("the tolerance of the whole") {
    auto const s = in_cube(1000, Kernel::stokeslet);
    EwaldOptions options = options_for(Kernel::stokeslet, 1e-5);
    options.tolerance_of = ToleranceOf::whole;
    Ewald plan(runtime, options);
    auto points = plan.set_points(s.x);
    for (double const tilt : {0.0, 0.02, 0.04}) {
      points = plan.set_cell(points, sheared(tilt));
      CHECK(oracle::relative_error(at(plan, points, s.f), exact(runtime, options, sheared(tilt), s)) < 1e-5);
    }
  }
  SUBCASE("single") {
    auto const s = in_cube(400, Kernel::stokeslet);
    EwaldOptions const options = options_for(Kernel::stokeslet, 1e-4);
    EwaldSingle plan(runtime, options);
    std::vector<float> const x(s.x.begin(), s.x.end()), f(s.f.begin(), s.f.end());
    auto const points = plan.set_cell(plan.set_points(std::span(x)), sheared(0.3));
    auto const u = at(plan, points, f);
    CHECK(oracle::relative_error(Numbers(u.begin(), u.end()), exact(runtime, options, sheared(0.3), s)) < 1e-4);
  }
}

TEST_CASE("set_cell: lengths by powers of two give the same bits, also where their products overflow or vanish") {
  Runtime const runtime({.gpus = 0});
  auto const s = in_cube(300, Kernel::laplace);
  auto const solve = [&](int exponent) {
    auto const scaled = [&](double x) { return std::ldexp(x, exponent); };
    auto const rows = [&](double tilt) {
      Rows all = sheared(tilt);
      for (auto& row : all)
        for (double& c : row) c = scaled(c);
      return all;
    };
    Numbers x = s.x, f = s.f;
    for (double& c : x) c = scaled(c);
    for (double& q : f) q = scaled(q);
    EwaldOptions options{.kernel = Kernel::laplace, .periodicity = Periodicity::xyz};
    options.cell = rows(0.3);
    options.tolerance = 1e-5;
    Ewald plan(runtime, options);
    auto const points = plan.set_points(x);
    Numbers u = at(plan, points, f);
    Numbers const v = at(plan, plan.set_cell(points, rows(0.34)), f);
    u.insert(u.end(), v.begin(), v.end());
    return u;
  };
  Numbers const one = solve(0);
  for (int const exponent : {-600, 600}) CHECK(solve(exponent) == one);
}

TEST_CASE("set_cell: what is refused leaves the cell as it was") {
  Runtime const runtime({.gpus = 0});
  auto const s = in_cube(300, Kernel::stokeslet);
  Ewald plan(runtime, options_for(Kernel::stokeslet, 1e-4));
  auto const points = plan.set_points(s.x);
  Numbers const u = at(plan, points, s.f);
  auto const says = [&](Rows const& rows) { return refusal_of([&] { plan.set_cell(points, rows); }); };
  CHECK(says({{{0, 1, 0}, {1, 0, 0}, {0, 0, 1}}}).find("left-handed") != std::string::npos);
  CHECK(says({{{1, 0, 0}, {1, 1e-8, 0}, {0, 0, 1}}}).find("nearly parallel") != std::string::npos);
  CHECK(says({{{1, 0, 0}, {0, 1, 0}, {}}}).find("row c of the cell is (0, 0, 0)") != std::string::npos);
  CHECK(says({{{1, 0, 0}, {0, std::nan(""), 0}, {0, 0, 1}}}).find("finite") != std::string::npos);
  CHECK(at(plan, plan.move_points(points, s.x), s.f) == u);
  std::vector<double> apart{0.25, 0.5, 0.5, 0.75, 0.5, 0.5};
  auto const two = plan.set_points(apart);
  CHECK(refusal_of([&] {
          plan.set_cell(two, {{{0.5, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
        }).find("same point") != std::string::npos);
  CHECK(at(plan, plan.set_points(s.x), s.f) == u);
  Ewald other(runtime, options_for(Kernel::stokeslet, 1e-4));
  CHECK(refusal_of([&] { other.set_cell(points, cube); }).find("another plan") != std::string::npos);
  EwaldOptions by_hand = options_for(Kernel::stokeslet, 1e-4);
  by_hand.grid = {32, 32, 32};
  Ewald of_grid(runtime, by_hand);
  CHECK(refusal_of([&] { of_grid.set_cell(sheared(0.8)); }).find("Give these rows") != std::string::npos);
}
