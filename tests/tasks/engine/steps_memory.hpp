// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tests/tasks/engine/gpu/resident.hpp"
#include "tests/tasks/motion.hpp"

namespace nearfar::test {

/// How much a simulation grows: so many steps of a few points by both methods, and so many times as many points as
/// tasks sort. The first tenth, but no fewer than 60, fills what is kept.
inline double growth_of_steps(int steps, int sets) {
  Runtime const runtime({.scheduler = "lws", .cpus = 2, .gpus = 0});
  Ewald ewald(runtime, {.kernel = Kernel::laplace, .tolerance = 1e-3});
  Fmm fmm(runtime, {.periodicity = Periodicity::xyz, .box = {1, 1, 1}, .tolerance = 1e-3, .depth = 2});
  auto p = inside_unit_box(1500, 1);
  std::vector<double> u(1500);
  auto in_cells = ewald.set_points(p.x);
  auto in_tree = fmm.set_points(p.x);
  std::mt19937 random(3);
  auto const step = [&] {
    for (double& v : p.x) v += 0.01 * (random() / 4294967296.0 - 0.5);
    ewald.submit(in_cells = ewald.move_points(in_cells, p.x), p.f, u).wait();
    fmm.submit(in_tree = fmm.move_points(in_tree, p.x), p.f, u).wait();
  };
  auto const many = inside_unit_box(40000, 0).x;
  auto const run = [&](int of_steps, int of_sets) {
    for (int i = 0; i < of_steps; ++i) step();
    for (int i = 0; i < of_sets; ++i) {
      ewald.set_points(many);
      fmm.set_points(many);
    }
    return resident_bytes();
  };
  double const before = run(std::max(60, steps / 10), std::max(20, sets / 10));
  return run(steps, sets) - before;
}

}  // namespace nearfar::test
