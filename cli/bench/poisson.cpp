// SPDX-License-Identifier: BSD-3-Clause
// Poisson solves and bare transforms of the padded grid, interleaved (solve, bare, solve, bare), so that other load on
// the machine affects both.
#include "cli/bench/bench.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nearfar/bare_transform.hpp>
#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <sys/resource.h>

namespace nearfar::cli {

namespace {

struct Times {
  std::vector<double> wall, cpu;
};

template <class Call>
void time(Times& times, Call const& call) {
  auto const begin = std::chrono::steady_clock::now();
  double const cpu = cpu_seconds();
  call();
  times.wall.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  times.cpu.push_back(cpu_seconds() - cpu);
}

double median_ratio(std::vector<double> const& a, std::vector<double> const& b) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < a.size(); ++i) ratios.push_back(a[i] / b[i]);
  return median(ratios);
}

struct Figures {
  std::array<int, 3> grid{};
  PoissonParameters parameters;
  Times solve, bare;
  SolveReport report;  ///< of the last solve
  double green_seconds = 0;
};

template <class T>
Figures measure_grid(Runtime const& runtime, std::array<int, 3> const& grid, int repeat) {
  std::array<double, 3> box{};
  std::ranges::copy(grid, box.begin());
  BasicPoisson<T> plan{runtime, {.grid = grid, .box = box}};
  Figures f;
  f.grid = grid;
  f.parameters = plan.parameters();
  f.green_seconds = plan.green_report().seconds;
  std::vector<T> const density(plan.cells(), T(1));
  std::vector<T> potential(plan.cells());
  BareTransform<T> bare{f.parameters.transform, static_cast<int>(runtime.workers().size())};
  auto const solve = [&] { f.report = plan.submit(density, potential).report(); };
  solve();
  bare.run();
  for (int i = 0; i < repeat; ++i) {
    time(f.solve, solve);
    time(f.bare, [&] { bare.run(); });
  }
  return f;
}

nlohmann::ordered_json json_of(Figures const& f, BenchSettings const& settings, Runtime const& runtime) {
  auto json = conditions("poisson", measurement_on(runtime));
  json["grid"] = f.grid;
  json["transform"] = f.parameters.transform;
  json["precision"] = name_of(settings.ewald.precision);
  json["repeat"] = f.solve.wall.size();
  json["seconds"] = median(f.solve.wall);
  json["bare_seconds"] = median(f.bare.wall);
  json["ratio"] = median_ratio(f.solve.wall, f.bare.wall);
  json["cpu_seconds"] = median(f.solve.cpu);
  json["bare_cpu_seconds"] = median(f.bare.cpu);
  json["cpu_ratio"] = median_ratio(f.solve.cpu, f.bare.cpu);
  json["green_seconds"] = f.green_seconds;
  json["idle_fraction"] = f.report.idle_fraction;
  for (auto const& stage : f.report.stages)
    json["stages"][stage.stage] = {{"tasks", stage.tasks}, {"seconds", stage.seconds}};
  return json;
}

void print_row(Figures const& f) {
  print("%5d %5d %5d %11.4g %11.4g %7.2f %11.4g %11.4g %7.2f\n", f.grid[0], f.grid[1], f.grid[2], median(f.solve.wall),
        median(f.bare.wall), median_ratio(f.solve.wall, f.bare.wall), median(f.solve.cpu), median(f.bare.cpu),
        median_ratio(f.solve.cpu, f.bare.cpu));
}

}  // namespace

void bench_poisson(BenchSettings const& settings) {
  Runtime const runtime{settings.runtime};
  std::vector<std::array<int, 3>> grids{{64, 64, 64}, {128, 128, 128}, {256, 256, 256}};
  if (auto const& one = settings.ewald.plan.grid) grids = {*one};
  if (!settings.json) {
    print("Poisson, free space, potential, %s precision, %s (%s); bare: FFTW on the padded grid, there and back\n",
          name_of(settings.ewald.precision), counted(runtime.workers().size(), "worker").c_str(),
          runtime.scheduler().c_str());
    print("%17s %11s %11s %7s %11s %11s %7s\n", "cells", "solve, s", "bare, s", "ratio", "CPU, s", "bare CPU", "ratio");
  }
  for (auto const& grid : grids) {
    auto const figures = settings.ewald.precision == Precision::double_
                             ? measure_grid<double>(runtime, grid, settings.repeat)
                             : measure_grid<float>(runtime, grid, settings.repeat);
    if (settings.json) print_line(json_of(figures, settings, runtime));
    else print_row(figures);
  }
}

}  // namespace nearfar::cli
