// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench/bench.hpp"
#include "cli/bench/stages/pair_count.hpp"
#include "cli/io/particles/particles.hpp"
#include "cli/parameters.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

namespace nearfar::cli {

namespace {

/// Rows of several vectors of strengths: each vector gives the strengths of a point to another one.
template <class T>
std::vector<T> repeated(std::vector<T> const& rows, std::size_t points, std::size_t vectors) {
  constexpr std::size_t away = 7919;
  std::size_t const row = points == 0 ? 0 : rows.size() / points;
  std::vector<T> all;
  all.reserve(rows.size() * vectors);
  for (std::size_t i = 0; i < points; ++i)
    for (std::size_t v = 0; v < vectors; ++v) {
      auto const from = rows.begin() + std::ptrdiff_t((i + v * away) % points * row);
      all.insert(all.end(), from, from + std::ptrdiff_t(row));
    }
  return all;
}

template <class T>
EwaldFigures figures_of(BenchSettings const& settings, bool count_pairs) {
  Runtime const runtime{settings.runtime};
  auto options = settings.ewald.plan;
  options.count = settings.particles.count;
  BasicEwald<T>{runtime, options};  // refuses what the machine cannot hold before anything is generated
  options.count = 0;
  auto rows = rows_of_rank<T>(settings.particles, runtime.rank(), runtime.ranks());
  std::size_t const points_of_rank = rows.positions.size() / 3, vectors = static_cast<std::size_t>(options.vectors);
  rows.strengths = repeated(rows.strengths, points_of_rank, vectors);
  std::vector<T> result(points_of_rank * vectors *
                        static_cast<std::size_t>(result_components(options.kernel, options.outputs)));
  MemoryGrowth const growth;
  BasicEwald<T> plan{runtime, options};
  auto const points = plan.set_points(rows.positions);
  EwaldFigures figures{plan.parameters(), measure(runtime, settings.repeat, [&] {
                         return plan.submit(points, rows.strengths, result, settings.ewald.part);
                       })};
  figures.times.peak_bytes = growth.bytes();
  figures.times.caller_bytes = rows.bytes() + result.size() * sizeof(T);
  if (count_pairs)
    figures.pairs = pairs_within(std::vector<double>(rows.positions.begin(), rows.positions.end()), options.box,
                                 static_cast<int>(options.periodicity), figures.parameters.cutoff);
  return figures;
}

void print_table(BenchSettings const& settings, EwaldFigures const& m) {
  auto const& plan = settings.ewald.plan;
  auto const& p = m.parameters;
  print("%s, %s, %zu particles (%s), tolerance %s, %s (%s)\n", settings.what.c_str(),
        std::string(name(plan.kernel)).c_str(), settings.particles.count, name_of(settings.particles.distribution),
        digits(plan.tolerance).c_str(), counted(m.times.workers, "worker").c_str(), m.times.scheduler.c_str());
  print("cutoff %.4g, grid %d x %d x %d, window of %d points\n", p.cutoff, p.grid[0], p.grid[1], p.grid[2],
        p.window_points);
  print_times(m.times, settings.particles.count);
}

}  // namespace

EwaldFigures measure_ewald(BenchSettings settings, bool count_pairs) {
  auto const& plan = settings.ewald.plan;
  expect_outputs(plan.kernel, plan.outputs);
  settings.particles.kernel = plan.kernel;
  settings.particles.box = plan.box;
  return settings.ewald.precision == Precision::double_ ? figures_of<double>(settings, count_pairs)
                                                        : figures_of<float>(settings, count_pairs);
}

nlohmann::ordered_json head_of(BenchSettings const& settings, EwaldFigures const& m) {
  auto const& plan = settings.ewald.plan;
  auto json = conditions(settings.what, m.times);
  add_request(json, {plan.kernel, plan.outputs, plan.periodicity, name_of(settings.ewald.precision),
                     settings.particles.distribution, settings.particles.count});
  json["part"] = name(settings.ewald.part);
  json["vectors"] = plan.vectors;
  json["tolerance"] = plan.tolerance;
  json["tolerance_of"] = plan.tolerance_of == ToleranceOf::whole ? "whole" : "parts";
  json["box"] = plan.box;
  json["repeat"] = settings.repeat;
  json["parameters"] = shown(m.parameters, settings.ewald.precision);
  return json;
}

void bench_ewald(BenchSettings const& settings) {
  auto const figures = measure_ewald(settings);
  if (launch().rank > 0) return;
  if (!settings.json) return print_table(settings, figures);
  auto json = head_of(settings, figures);
  add_times(json, figures.times, settings.particles.count);
  print_line(json);
}

}  // namespace nearfar::cli
