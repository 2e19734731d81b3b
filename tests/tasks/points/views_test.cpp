// SPDX-License-Identifier: BSD-3-Clause
// Positions, strengths and results where and as the caller has them.
#include "tests/tasks/motion.hpp"

#include <doctest/doctest.h>

using namespace nearfar;

namespace {

constexpr std::size_t n = 300;

struct Bead {
  char color = 'r';
  float position[3] = {};
  double force[3] = {}, velocity[3] = {}, mass = 1;
};

/// The same in rows of single precision numbers, so that both hold the same.
struct Suspension {
  std::vector<Bead> beads = std::vector<Bead>(n);
  std::vector<double> x, f, u = std::vector<double>(3 * n);

  Suspension() {
    auto const p = test::inside_unit_box<float>(n, 3);
    x.assign(p.x.begin(), p.x.end());
    f.assign(p.f.begin(), p.f.end());
    for (std::size_t i = 0; i < 3 * n; ++i) {
      beads[i / 3].position[i % 3] = p.x[i];
      beads[i / 3].force[i % 3] = f[i];
    }
  }
  RowsIn positions() const { return RowsIn::strided(beads[0].position, n, 3, sizeof(Bead)); }
  RowsIn forces() const { return RowsIn::strided(beads[0].force, n, 3, sizeof(Bead)); }
  RowsOut velocities() { return RowsOut::strided(beads[0].velocity, n, 3, sizeof(Bead)); }
  void expect_velocities() const {
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < 3 * n; ++i) wrong += beads[i / 3].velocity[i % 3] != u[i];
    for (Bead const& bead : beads) wrong += bead.color != 'r' || bead.mass != 1;
    CHECK(wrong == 0);
  }
};

}  // namespace

TEST_CASE("views of structs: the bits of rows, by every method") {
  Runtime const runtime({.gpus = 0});
  Suspension s;
  SUBCASE("Ewald") {
    Ewald plan(runtime, {.tolerance = 1e-4});
    auto const points = plan.set_points(s.positions());
    plan.submit(plan.set_points(s.x), s.f, s.u).wait();
    plan.submit(points, s.forces(), s.velocities()).wait();
    s.expect_velocities();
    s.beads[0].velocity[0] = 0;
    plan.submit(plan.move_points(points, s.positions()), s.forces(), s.velocities()).wait();
    s.expect_velocities();
  }
  SUBCASE("multipoles") {
    Fmm plan(runtime, {.kernel = Kernel::stokeslet, .tolerance = 1e-4});
    auto const points = plan.set_points(s.positions());
    plan.submit(plan.set_points(s.x), s.f, s.u).wait();
    plan.submit(points, s.forces(), s.velocities()).wait();
    s.expect_velocities();
    s.beads[0].velocity[0] = 0;
    plan.submit(plan.move_points(points, s.positions()), s.forces(), s.velocities()).wait();
    s.expect_velocities();
  }
  SUBCASE("direct") {
    direct(runtime, Kernel::stokeslet, {}, s.x, s.x, s.f, s.u).wait();
    direct(runtime, Kernel::stokeslet, {}, s.positions(), s.positions(), s.forces(), s.velocities()).wait();
    s.expect_velocities();
  }
}

TEST_CASE("arrays of their own, targets, and another precision than the plan's") {
  Runtime const runtime({.gpus = 0});
  auto const p = test::inside_unit_box(n, 1);
  auto const y = test::inside_unit_box(100, 0, 2).x;
  Ewald plan(runtime, {.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = 1e-4});
  std::vector<double> expected(400);
  plan.submit(plan.set_points(p.x, y), p.f, expected).wait();

  std::vector<std::vector<double>> columns(3);
  for (std::size_t i = 0; i < p.x.size(); ++i) columns[i % 3].push_back(p.x[i]);
  std::vector<float> potential(100), gradient[3];
  for (auto& g : gradient) g.resize(100);
  auto const points = plan.set_points(RowsIn::arrays({columns[0].data(), columns[1].data(), columns[2].data()}, n),
                                      RowsIn::packed(y.data(), 100, 3));
  bool complete = false;
  auto solve =
      plan.submit(points, RowsIn::packed(p.f.data(), n, 1),
                  RowsOut::arrays({potential.data(), gradient[0].data(), gradient[1].data(), gradient[2].data()}, 100));
  solve.then([&] { complete = potential[99] == float(expected[4 * 99]); });
  solve.wait();
  CHECK(complete);  // before callbacks
  for (std::size_t i = 0; i < 100; ++i) {
    CHECK(potential[i] == float(expected[4 * i]));
    for (std::size_t d = 0; d < 3; ++d) CHECK(gradient[d][i] == float(expected[4 * i + 1 + d]));
  }
}

TEST_CASE("arrays of their own in single precision, targets that move, by every method") {
  Runtime const runtime({.gpus = 0});
  std::size_t const m = 1500;  // more rows than are copied at a time
  auto const x = test::inside_unit_box<float>(n, 0).x, y = test::inside_unit_box<float>(m, 0, 2).x;
  std::vector<double> const wide_x(x.begin(), x.end()), wide_y(y.begin(), y.end());
  auto const q = test::inside_unit_box(n, 1).f;
  auto const columns_of = [](std::vector<float> const& rows) {
    std::vector<std::vector<float>> columns(3);
    for (std::size_t i = 0; i < rows.size(); ++i) columns[i % 3].push_back(rows[i]);
    return columns;
  };
  auto const xs = columns_of(x), ys = columns_of(y);
  auto const from = RowsIn::arrays({xs[0].data(), xs[1].data(), xs[2].data()}, n),
             to = RowsIn::arrays({ys[0].data(), ys[1].data(), ys[2].data()}, m);
  std::vector<double> rows(m), views(m);
  auto const strengths = RowsIn::packed(q.data(), n, 1);
  auto const result = RowsOut::packed(views.data(), m, 1);
  auto const check = [&](auto& plan) {
    auto const points = plan.set_points(from, to);
    plan.submit(plan.set_points(wide_x, wide_y), q, rows).wait();
    plan.submit(plan.move_points(points, from, to), strengths, result).wait();
    CHECK(views == rows);
  };
  SUBCASE("Ewald") {
    Ewald plan(runtime, {.kernel = Kernel::laplace, .tolerance = 1e-4});
    check(plan);
  }
  SUBCASE("multipoles") {
    Fmm plan(runtime, {.tolerance = 1e-4});
    check(plan);
  }
  SUBCASE("direct") {
    direct(runtime, Kernel::laplace, {}, wide_x, wide_y, q, rows).wait();
    direct(runtime, Kernel::laplace, {}, from, to, strengths, result).wait();
    CHECK(views == rows);
  }
}

TEST_CASE("views that do not fit, and results of solves that fail") {
  Runtime const runtime({.gpus = 0});
  Suspension s;
  Ewald plan(runtime, {.tolerance = 1e-3});
  auto const points = plan.set_points(s.positions());
  auto const two = RowsIn::strided(s.beads[0].force, n, 2, sizeof(Bead));
  CHECK(test::refusal_of([&] { plan.set_points(two); }).find("the view of sources has 2 columns") == 0);
  CHECK(test::refusal_of([&] { plan.submit(points, two, s.velocities()); }).find("the view of strengths") == 0);
  auto const few = RowsOut::strided(s.beads[0].velocity, 5, 3, sizeof(Bead));
  CHECK(test::refusal_of([&] { plan.submit(points, s.forces(), few); }).find("result has 15 numbers") == 0);
  s.beads[3].force[1] = std::nan("");
  s.beads[0].velocity[0] = 42;
  auto solve = plan.submit(points, s.forces(), s.velocities());
  CHECK(test::refusal_of([&] { solve.wait(); }).find("source 3") != std::string::npos);
  CHECK(s.beads[0].velocity[0] == 42);
}
