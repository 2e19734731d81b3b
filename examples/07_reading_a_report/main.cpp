// SPDX-License-Identifier: BSD-3-Clause
// Where did the time go? The report of a solve and what it means; 'nearfar trace' shows the same as charts.
#include <nearfar/nearfar.hpp>

#include <algorithm>
#include <cstdio>
#include <random>
#include <vector>

int main() {
  constexpr std::size_t count = 20000;
  std::mt19937 random(1);
  std::vector<double> x(3 * count), force(3 * count), u(3 * count);
  for (auto* values : {&x, &force})
    for (double& v : *values) v = random() / 4294967296.0;

  nearfar::Runtime runtime;
  nearfar::Ewald ewald(runtime, {.kernel = nearfar::Kernel::stokeslet, .tolerance = 1e-6});
  auto points = ewald.set_points(x);
  ewald.submit(points, force, u).wait();  // the first solve allocates memory: measure the second
  auto solve = ewald.submit(points, force, u);
  auto const report = solve.report();
  solve.write_dag("dag.dot");  // the task graph: dot -Tsvg dag.dot

  double busy = 0;
  for (auto const& stage : report.stages) busy += stage.seconds;
  for (auto const& stage : report.stages)
    std::printf("%-6s %3d tasks, %4.1f %% of the work\n", stage.stage.c_str(), stage.tasks, 100 * stage.seconds / busy);
  auto const longest = std::ranges::max(report.stages, {}, &nearfar::StageTime::seconds);
  std::printf("most of the work: %s\n", longest.stage.c_str());

  std::printf("%.1f ms, of which %.1f ms to submit\n", 1e3 * report.seconds, 1e3 * report.submit_seconds);
  std::printf("longest chain of tasks: %.1f ms; no order of them could take less than %.1f ms\n",
              1e3 * report.critical_seconds, 1e3 * report.bound_seconds);
  std::printf("idle: %.0f %%; the plan had predicted %.1f ms\n", 100 * report.idle_fraction,
              1e3 * report.predicted_seconds);
  if (report.critical_seconds > 0.9 * report.seconds)
    std::printf("-> the chain is what takes the time: more workers will not help, smaller tasks might\n");
  else if (report.bound_seconds > 0.9 * report.seconds) std::printf("-> as good as it can be with this many workers\n");
  else std::printf("-> workers waited: other schedulers, more particles, or a quieter machine may do better\n");
  bool const sound = report.bound_seconds <= report.seconds && report.critical_seconds <= report.bound_seconds;
  std::printf("%s\n", sound ? "chain <= bound <= time" : "a time is wrong");
}
