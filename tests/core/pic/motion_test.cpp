// SPDX-License-Identifier: BSD-3-Clause
#include "core/pic/motion.hpp"

#include "core/math/constants.hpp"
#include "core/pic/cloud.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace nearfar;

TEST_CASE("motion: a magnetic field turns velocities and keeps their length") {
  Motion m;
  m.step = 0.1;
  m.charge_per_mass = -2;
  m.magnetic[2] = 3;
  double const none[3] = {}, x[3] = {};
  double v[3] = {1, 0, 0.5};
  int const steps = 1000;
  Mover<double> const mover(m);
  for (int i = 0; i < 2 * steps; ++i) mover.rotate(v);
  CHECK(std::hypot(v[0], v[1]) == doctest::Approx(1).epsilon(1e-12));
  CHECK(v[2] == 0.5);
  // Boris turns by 2 atan(w dt / 4) in each half of a step; the way a negative charge goes around B.
  double const angle = 2 * steps * 2 * std::atan(0.1 * 2 * 3 / 4.0);
  CHECK(v[0] == doctest::Approx(std::cos(angle)).epsilon(1e-9));
  CHECK(v[1] == doctest::Approx(std::sin(angle)).epsilon(1e-9));
  double still[3] = {v[0], v[1], v[2]};
  mover.accelerate(x, none, still);
  CHECK(still[0] == v[0]);
}

TEST_CASE("motion: a step backwards undoes a step") {
  Motion m;
  m.step = 0.05;
  m.charge_per_mass = -1.5;
  for (int d = 0; d < 3; ++d) {
    m.electric[d] = 0.1 * d;
    m.gradient[d] = d - 1;
    m.centre[d] = 5;
    m.magnetic[d] = 1 + d;
    m.edge[d] = 10;
  }
  double const own[3] = {0.3, -0.2, 0.1};
  double x[3] = {4, 5, 6}, v[3] = {1, -2, 0.5};
  Mover<double> const forwards(m);
  CHECK(forwards.push(own, x, v));
  forwards.kick(own, x, v);
  CHECK(x[0] != 4);
  m.step = -m.step;
  Mover<double> const backwards(m);
  CHECK(backwards.push(own, x, v));
  backwards.kick(own, x, v);
  CHECK(x[0] == doctest::Approx(4).epsilon(1e-14));
  CHECK(x[1] == doctest::Approx(5).epsilon(1e-14));
  CHECK(v[2] == doctest::Approx(0.5).epsilon(1e-13));
}

TEST_CASE("motion: what leaves the box comes back, and what goes too far is told") {
  Motion m;
  m.edge[0] = 2;
  m.periodic[1] = true;
  auto const inside = [&](double* x, double* v) { return Mover<double>(m).keep_inside(x, v); };
  double x[3] = {2.25, 1.25, 0.5}, v[3] = {1, 1, 1};
  CHECK(inside(x, v));
  CHECK(x[0] == 1.75);
  CHECK(v[0] == -1);
  CHECK(x[1] == 0.25);
  CHECK(v[1] == 1);
  x[0] = -0.5;
  x[1] = -0.25;
  CHECK(inside(x, v));
  CHECK(x[0] == 0.5);
  CHECK(v[0] == 1);
  CHECK(x[1] == 0.75);
  for (double far : {4.5, -2.5, std::nan(""), HUGE_VAL}) {
    double y[3] = {far, 0.5, 0.5};
    CHECK(!inside(y, v));
  }
}

TEST_CASE("motion: the potential's slope is the field") {
  Motion m;
  m.electric[0] = 0.7;
  m.gradient[0] = -1.5;
  m.gradient[2] = 0.75;
  m.centre[0] = 0.2;
  double const h = 1e-4;
  for (int d = 0; d < 3; ++d) {
    double low[3] = {0.9, 0.4, 0.3}, high[3] = {0.9, 0.4, 0.3};
    low[d] -= h;
    high[d] += h;
    double const slope = (external_potential(m, high) - external_potential(m, low)) / (2 * h);
    double v[3] = {};
    double const none[3] = {}, x[3] = {0.9, 0.4, 0.3};
    m.step = 2;  // of which half is taken
    Mover<double>(m).accelerate(x, none, v);
    CHECK(-slope == doctest::Approx(v[d]).epsilon(1e-9));
  }
}

TEST_CASE("clouds: weights are those of the overlap with cells, inside, around and at the faces") {
  CloudGrid grid;
  grid.size[0] = 4;
  grid.cells_per_length[0] = 4 / 2.0;
  auto const at = [&](double x) { return cloud_at(grid, 0, x); };
  CHECK(at(0.75).low == 1);  // a centre
  CHECK(at(0.75).weight == 0);
  CHECK(at(1.0).low == 1);
  CHECK(at(1.0).high == 2);
  CHECK(at(1.0).weight == 0.5);
  CHECK(at(0).low == 0);
  CHECK(at(0).high == 0);
  CHECK(at(2).low == 3);
  CHECK(at(2).high == 3);
  grid.periodic[0] = true;
  CHECK(at(0).low == 3);
  CHECK(at(0).high == 0);
  CHECK(at(0.125).weight == 0.75);
  CHECK(at(2).low == 3);
  CHECK(at(2).high == 0);
}
