// SPDX-License-Identifier: BSD-3-Clause
#include "bench/steps/shear.hpp"

#include "cli/bench/diffusion.hpp"
#include "cli/io/particles/particles.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <numeric>
#include <vector>

namespace nearfar::cli {

namespace {

double sum(std::vector<double> const& values) { return std::accumulate(values.begin(), values.end(), 0.0); }

}  // namespace

void bench_sheared_steps(BenchSettings const& settings) {
  Runtime const runtime{settings.runtime};
  GenerateOptions particles = settings.particles;
  particles.kernel = settings.ewald.plan.kernel;
  Rows<double> given{particles};
  double const edge = particles.box[0];
  EwaldOptions options = settings.ewald.plan;
  options.box = {edge, edge, edge};
  options.periodicity = Periodicity::xyz;
  Diffusion<double> diffusion(options.box, 3, settings.step_length * edge, particles.seed + 1);
  auto& x = given.positions;
  std::vector<double> result(x.size() / 3 *
                             static_cast<std::size_t>(result_components(options.kernel, options.outputs)));

  struct Steps {
    Ewald plan;
    Points points;
    std::vector<double> seconds{};
  };
  auto const begin = [&] {
    Ewald plan{runtime, options};
    auto points = plan.set_points(x);
    return Steps{std::move(plan), std::move(points)};
  };
  Steps cube = begin(), sheared = begin();
  auto const step_of = [&](Steps& steps) {
    steps.points = steps.plan.move_points(steps.points, x);
    steps.plan.submit(steps.points, given.strengths, result).wait();
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
  Measurement machine;
  machine.workers = runtime.workers().size();
  machine.scheduler = runtime.scheduler();
  machine.runtime = runtime.version();
  auto json = conditions("sheared steps", machine);
  json["kernel"] = name(options.kernel);
  json["count"] = particles.count;
  json["tolerance"] = options.tolerance;
  json["steps"] = settings.steps;
  json["cube_cpu_seconds"] = median(cube.seconds);
  json["sheared_cpu_seconds"] = median(sheared.seconds);
  json["ratio"] = median(sheared.seconds) / median(cube.seconds);
  json["ratio_of_sums"] = sum(sheared.seconds) / sum(cube.seconds);
  print_line(json);
}

}  // namespace nearfar::cli
