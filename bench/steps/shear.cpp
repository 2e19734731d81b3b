// SPDX-License-Identifier: BSD-3-Clause
#include "bench/steps/shear.hpp"

#include "bench/steps/cube.hpp"
#include "cli/bench/diffusion.hpp"

#include <nlohmann/json.hpp>

#include <numeric>
#include <vector>

namespace nearfar::cli {

namespace {

double sum(std::vector<double> const& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

void bench_sheared_steps(BenchSettings const& settings) {
  CubeSystem system(settings);
  double const edge = system.edge();
  auto x = system.positions();
  Diffusion<double> diffusion({edge, edge, edge}, 3, settings.step_length * edge, settings.particles.seed + 1);
  auto cube = system.begin(system.cube(), x), sheared = system.begin(system.cube(), x);
  auto const step_of = [&](CubeSystem::InCell& of) {
    of.points = of.plan.move_points(of.points, x);
    system.solve(of);
  };
  for (int i = 0; i < 2; ++i) step_of(cube), step_of(sheared);  // a plan that misses its tolerance is replaced
  for (int step = 1; step <= settings.steps; ++step) {
    diffusion.step(x);
    double const before = cpu_seconds();
    step_of(cube);
    double const between = cpu_seconds();
    sheared.plan.set_cell({{{edge, 0, 0}, {edge * step / settings.steps, edge, 0}, {0, 0, edge}}});
    step_of(sheared);
    cube.seconds.push_back(between - before);
    sheared.seconds.push_back(cpu_seconds() - between);
  }
  auto json = system.head("sheared steps");
  json["steps"] = settings.steps;
  json["cube_cpu_seconds"] = median(cube.seconds);
  json["sheared_cpu_seconds"] = median(sheared.seconds);
  json["ratio"] = median(sheared.seconds) / median(cube.seconds);
  json["ratio_of_sums"] = sum(sheared.seconds) / sum(cube.seconds);
  print_line(json);
}

}  // namespace nearfar::cli
