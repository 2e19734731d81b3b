// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/bench.hpp"
#include "cli/io/particles/particles.hpp"
#include "cli/parameters.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace nearfar::cli {

namespace {

template <class T>
FmmFigures figures_of(BenchSettings const& settings) {
  Runtime const runtime{settings.runtime};
  auto options = settings.fmm.plan;
  options.count = settings.particles.count;  // refuses what the machine cannot hold before anything is generated
  BasicFmm<T> plan{runtime, options};
  auto const rows = rows_of_rank<T>(settings.particles, runtime.rank(), runtime.ranks());
  std::vector<T> result(rows.positions.size() / 3 *
                        static_cast<std::size_t>(result_components(options.kernel, options.outputs)));
  MemoryGrowth const growth;
  auto const points = plan.set_points(rows.positions);
  FmmFigures figures{points.parameters(),
                     measure(runtime, settings.repeat, [&] { return plan.submit(points, rows.strengths, result); })};
  figures.times.peak_bytes = growth.bytes();
  figures.times.caller_bytes = rows.bytes() + result.size() * sizeof(T);
  return figures;
}

void print_table(BenchSettings const& settings, FmmFigures const& f) {
  auto const& p = f.parameters;
  auto const& particles = settings.particles;
  print("fmm, %s, %zu particles (%s), estimated error %.2g, %s (%s)\n",
        std::string(name(settings.fmm.plan.kernel)).c_str(), particles.count, name_of(particles.distribution),
        p.estimated_error, counted(f.times.workers, "worker").c_str(), f.times.scheduler.c_str());
  print("order %d, depth %d, capacity %d, well separation %d, %zu boxes\n", p.order, p.depth, p.capacity,
        p.well_separation, p.boxes);
  print_times(f.times, particles.count);
}

}  // namespace

FmmFigures measure_fmm(BenchSettings settings) {
  auto& plan = settings.fmm.plan;
  settle_box(settings.fmm);
  expect_outputs(plan.kernel, plan.outputs);
  settings.particles.kernel = plan.kernel;
  if (std::ranges::count(plan.box, 0) == 0) settings.particles.box = plan.box;
  return settings.fmm.precision == Precision::double_ ? figures_of<double>(settings) : figures_of<float>(settings);
}

nlohmann::ordered_json head_of(BenchSettings const& settings, FmmFigures const& f) {
  auto const& plan = settings.fmm.plan;
  auto json = conditions(settings.what, f.times);
  add_request(json, {plan.kernel, plan.outputs, plan.periodicity, name_of(settings.fmm.precision),
                     settings.particles.distribution, settings.particles.count});
  json["tolerance"] = plan.order ? nlohmann::ordered_json() : nlohmann::ordered_json(plan.tolerance);
  json["repeat"] = f.times.solves.size();
  json["parameters"] = shown(f.parameters, settings.fmm.precision);
  return json;
}

void bench_fmm(BenchSettings const& settings) {
  auto const figures = measure_fmm(settings);
  if (launch().rank > 0) return;
  if (!settings.json) return print_table(settings, figures);
  auto json = head_of(settings, figures);
  add_times(json, figures.times, settings.particles.count);
  print_line(json);
}

}  // namespace nearfar::cli
