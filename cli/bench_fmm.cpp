// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench_fmm.hpp"

#include "cli/measurement.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>

namespace nearfar::cli {

namespace {

struct Figures {
  FmmParameters parameters;
  Measurement times;
};

template <class T>
Figures figures_of(FmmSettings const& settings, GenerateOptions const& particles, RuntimeOptions const& machine,
                   int repeat) {
  Runtime const runtime{machine};
  auto options = settings.plan;
  options.count = particles.count;  // refuses what the machine cannot hold before anything is generated
  BasicFmm<T> plan{runtime, options};
  Rows<T> const rows{particles};
  auto const points = plan.set_points(rows.positions);
  std::vector<T> result(points.targets() *
                        static_cast<std::size_t>(result_components(options.kernel, options.gradient)));
  return {points.parameters(), measure(runtime, repeat, [&] { return plan.submit(points, rows.strengths, result); })};
}

void print_json(FmmSettings const& settings, GenerateOptions const& particles, Figures const& f) {
  auto const& p = f.parameters;
  nlohmann::ordered_json json;
  json["bench"] = "fmm";
  json["version"] = NEARFAR_VERSION;
  json["kernel"] = name(settings.plan.kernel);
  json["gradient"] = settings.plan.gradient;
  json["periodic"] = name(settings.plan.periodicity);
  json["precision"] = name_of(settings.precision);
  json["distribution"] = name_of(particles.distribution);
  json["count"] = particles.count;
  json["tolerance"] = settings.plan.order ? nlohmann::ordered_json() : nlohmann::ordered_json(settings.plan.tolerance);
  json["repeat"] = f.times.solves.size();
  json["parameters"] = {{"order", p.order},
                        {"depth", p.depth},
                        {"capacity", p.capacity},
                        {"well_separation", p.well_separation},
                        {"boxes", p.boxes},
                        {"blocks", p.blocks},
                        {"translations", p.translations},
                        {"pairs", p.pairs},
                        {"estimated_error", p.estimated_error}};
  add_times(json, f.times, particles.count);
  std::printf("%s\n", json.dump(2).c_str());
}

void print_table(FmmSettings const& settings, GenerateOptions const& particles, Figures const& f) {
  auto const& p = f.parameters;
  std::printf("fmm, %s, %zu particles (%s), estimated error %.2g, %s (%s)\n",
              std::string(name(settings.plan.kernel)).c_str(), particles.count, name_of(particles.distribution),
              p.estimated_error, counted(f.times.workers, "worker").c_str(), f.times.scheduler.c_str());
  std::printf("order %d, depth %d, capacity %d, well separation %d, %zu boxes\n", p.order, p.depth, p.capacity,
              p.well_separation, p.boxes);
  print_times(f.times, particles.count);
}

}  // namespace

void bench_fmm(FmmSettings const& settings, GenerateOptions const& particles, RuntimeOptions const& machine, int repeat,
               bool json) {
  auto const figures = settings.precision == Precision::double_
                           ? figures_of<double>(settings, particles, machine, repeat)
                           : figures_of<float>(settings, particles, machine, repeat);
  json ? print_json(settings, particles, figures) : print_table(settings, particles, figures);
}

}  // namespace nearfar::cli
