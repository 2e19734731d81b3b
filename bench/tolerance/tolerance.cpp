// SPDX-License-Identifier: BSD-3-Clause
#include "bench/tolerance/tolerance.hpp"

#include "bench/tolerance/systems.hpp"
#include "cli/bench/diffusion.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <utility>

namespace nearfar::cli {

namespace {

/// The largest relative l2 error of the fields of rows: of the first `split` columns together, and of the others.
template <class T>
double error_of(std::vector<T> const& result, std::vector<double> const& reference, std::size_t columns,
                std::size_t split) {
  double difference[2] = {}, all[2] = {};
  for (std::size_t i = 0; i < result.size(); ++i) {
    int const field = i % columns < split ? 0 : 1;
    difference[field] += std::pow(double(result[i]) - reference[i], 2);
    all[field] += reference[i] * reference[i];
  }
  return std::sqrt(std::max(difference[0] / all[0], split < columns ? difference[1] / all[1] : 0));
}

/// Steps under one plan.
template <class T>
struct Steps {
  BasicEwald<T> plan;
  BasicPoints<T> points;
  std::vector<T> result;
  std::vector<double> seconds{};
  int repeats = 0;

  double predicted() const {
    EwaldPlanning const p = plan.parameters();
    return p.near_seconds + p.far_seconds;
  }

  void step(std::vector<T> const& x, std::vector<T> const& strengths, bool counts) {
    double const before = cpu_seconds();
    points = plan.move_points(points, x);
    int const again = plan.submit(points, strengths, result).report().repeats;
    if (!counts) return;
    seconds.push_back(cpu_seconds() - before);
    repeats += again;
  }
};

template <class T>
nlohmann::ordered_json compared(BenchSettings const& settings, Runtime const& runtime,
                                bench::SimulatedSystem const& system) {
  constexpr int settling = 3;  // steps, in which plans are replaced
  std::vector<T> x(system.positions.begin(), system.positions.end()),
      strengths(system.strengths.begin(), system.strengths.end());
  auto const columns = std::size_t(result_components(system.kernel, system.outputs)), count = x.size() / 3;
  EwaldOptions options = settings.ewald.plan;
  options.kernel = system.kernel;
  options.outputs = system.outputs;
  auto const begin = [&](ToleranceOf of) {
    options.tolerance_of = of;
    BasicEwald<T> plan{runtime, options};
    auto points = plan.set_points(x);
    return Steps<T>{std::move(plan), std::move(points), std::vector<T>(columns * count)};
  };
  auto parts = begin(ToleranceOf::parts), whole = begin(ToleranceOf::whole);
  Diffusion<T> diffusion({1, 1, 1}, 3, settings.step_length, settings.particles.seed + 1);
  for (int step = -settling; step < settings.steps; ++step) {
    diffusion.step(x);
    for (auto* const one : {step % 2 == 0 ? &parts : &whole, step % 2 == 0 ? &whole : &parts})
      one->step(x, strengths, step >= 0);
  }
  EwaldOptions finest = options;
  finest.tolerance = std::max(options.tolerance / 1000, 1e-12);
  finest.tolerance_of = ToleranceOf::parts;
  Ewald exact{runtime, finest};
  std::vector<double> const at(x.begin(), x.end()), of(strengths.begin(), strengths.end());
  std::vector<double> reference(columns * count);
  exact.submit(exact.set_points(at), of, reference).wait();
  std::size_t const split = system.kernel == Kernel::laplace ? 1 : columns;

  nlohmann::ordered_json json;
  json["system"] = system.name;
  json["kernel"] = name(system.kernel);
  json["precision"] = name_of(settings.ewald.precision);
  json["count"] = count;
  json["tolerance"] = options.tolerance;
  json["steps"] = settings.steps;
  double const of_parts = median(parts.seconds), of_whole = median(whole.seconds);
  json["parts_cpu_seconds"] = of_parts;
  json["whole_cpu_seconds"] = of_whole;
  json["ratio"] = of_parts / of_whole;
  json["predicted_ratio"] = parts.predicted() / whole.predicted();
  for (auto const& [key, steps] : {std::pair("parts_plan", &parts), std::pair("whole_plan", &whole)}) {
    EwaldParameters const p = steps->plan.parameters();
    json[key] = {{"cutoff", p.cutoff}, {"grid", p.grid}, {"window_points", p.window_points}};
  }
  json["parts_error"] = error_of(parts.result, reference, columns, split);
  json["whole_error"] = error_of(whole.result, reference, columns, split);
  json["repeats"] = whole.repeats;
  return json;
}

}  // namespace

void bench_tolerance_of(BenchSettings const& settings) {
  auto const names = settings.what.empty() ? bench::simulated_systems() : std::vector<std::string>{settings.what};
  Runtime const runtime{settings.runtime};
  Measurement machine = measurement_on(runtime);
  for (auto const& name : names) {
    auto const system = bench::simulated_system(name, settings.particles.count, settings.particles.seed);
    auto json = conditions("tolerance of whole and parts", machine);
    json.update(settings.ewald.precision == Precision::single ? compared<float>(settings, runtime, system)
                                                              : compared<double>(settings, runtime, system));
    print_line(json);
  }
}

}  // namespace nearfar::cli
