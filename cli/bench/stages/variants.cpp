// SPDX-License-Identifier: BSD-3-Clause
// Ways to run P2G and G2P, and on GPUs P2P, side by side under one plan: what their tasks took, summed over workers.
#include "cli/bench/bench.hpp"
#include "cli/bench/stages/grid_numbers.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nearfar/error.hpp>
#include <nearfar/ewald.hpp>
#include <nearfar/implementation.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace nearfar::cli {

namespace {

/// Seconds and flops of the stage in each solve, the fastest first.
struct StageSeconds {
  std::vector<double> seconds;
  double flops = 0;

  StageSeconds(Measurement const& times, std::string const& what) {
    for (auto const& solve : times.solves)
      for (auto const& stage : solve.stages)
        if (stage.stage == what) {
          seconds.push_back(stage.seconds);
          flops = stage.flops;
        }
    std::ranges::sort(seconds);
  }
};

template <class T>
double difference(std::vector<T> const& a, std::vector<T> const& b) {
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += std::pow(double(a[i]) - double(b[i]), 2);
    size += double(b[i]) * double(b[i]);
  }
  return size > 0 ? std::sqrt(error / size) : std::sqrt(error);
}

template <class T>
class Comparison {
 public:
  explicit Comparison(BenchSettings const& settings)
      : settings_(settings), runtime_(settings.runtime), rows_(settings.particles),
        peaks_(on_gpus() ? gpu_peaks() : GpuPeaks{}),
        roof_(on_gpus() ? Roof{} : measure_roof(settings.ewald.precision)) {
    if (settings.check) reference_ = solve(on_gpus() ? Implementation::tuned : Implementation::portable, 1).second;
  }

  void run(std::string const& variant) {
    auto const [figures, result] = solve(from_name<Implementation>(variant), settings_.repeat);
    StageSeconds const work(figures.times, settings_.what);
    auto json = head_of(settings_, figures);
    json["variant"] = variant;
    double const median = work.seconds[work.seconds.size() / 2], count = static_cast<double>(settings_.particles.count);
    auto const& grid = figures.parameters.grid;
    auto const kernel = settings_.ewald.plan.kernel;
    double const components = grid_numbers(kernel).gathered;
    bool const near = settings_.what == "p2p";
    // Minimal traffic: all points once, and the whole grid once, read by G2P or written by P2G.
    double const nodes = near ? 0 : double(grid[0]) * double(grid[1]) * double(grid[2]),
                 bytes = sizeof(T) * (count * (3 + components) + components * nodes);
    json["seconds"] = {{"minimum", work.seconds.front()}, {"median", median}, {"maximum", work.seconds.back()}};
    json["points_per_second"] = count / median;
    bool const single = near ? figures.parameters.near_in_single : figures.parameters.far_in_single;
    Precision const precision = single ? Precision::single : settings_.ewald.precision;
    add_roof(json, on_gpus() ? roof_of(peaks_, precision) : roof_, work.flops, bytes, median, 1);
    if (settings_.check) json["difference"] = difference(result, reference_);
    if (settings_.json) return print_line(json);
    print("%s %-16s %s %s  %10.4g s  %9.4g points/s  %8.4g Gflop/s", settings_.what.c_str(), variant.c_str(),
          std::string(name(kernel)).c_str(), name_of(settings_.ewald.precision), median, count / median,
          json["gflops"].template get<double>());
    print("  %5.1f %% of the roof", 100 * json["roof_share"].template get<double>());
    if (settings_.check) print("  differs by %.2g", json["difference"].template get<double>());
    print("\n");
  }

 private:
  bool on_gpus() const { return settings_.runtime.gpus > 0; }

  std::pair<EwaldFigures, std::vector<T>> solve(Implementation implementation, int repeat) {
    auto options = settings_.ewald.plan;
    options.implementation = implementation;
    BasicEwald<T> plan{runtime_, options};
    auto const points = plan.set_points(rows_.positions);
    std::vector<T> result(settings_.particles.count *
                          static_cast<std::size_t>(result_components(options.kernel, options.outputs)));
    EwaldFigures figures{plan.parameters(), measure(runtime_, repeat, [&] {
                           return plan.submit(points, rows_.strengths, result, settings_.ewald.part);
                         })};
    return {figures, result};
  }

  BenchSettings const& settings_;
  Runtime runtime_;
  Rows<T> rows_;
  GpuPeaks peaks_;
  Roof roof_;
  std::vector<T> reference_;
};

/// The variants that a stage can be asked for, on CPUs or on GPUs.
std::vector<std::string> variants_of(std::string const& stage, bool on_gpus) {
  if (stage == "p2g" && on_gpus) return {"tuned", "source-ordered", "grid-ordered", "hybrid"};
  if (stage == "g2p" && on_gpus) return {"tuned", "target-ordered"};
  if (stage == "p2p" && on_gpus) return {"tuned", "global-1d", "shared-1d", "global-2d", "shared-2d"};
  if (stage == "p2g") return {"tuned", "portable", "source-ordered", "hybrid"};
  if (stage == "g2p") return {"tuned", "portable"};
  return {};
}

/// Throws Error{bad_input} if GPUs sum the pairs of these outputs in one way only.
void expect_all_ways(EwaldOptions const& plan) {
  int const numbers = result_components(plan.kernel, plan.outputs);
  if (numbers > int(grid_numbers(plan.kernel).gathered))
    throw Error{Fault::bad_input, "--outputs asks for " + std::to_string(numbers) +
                                      " numbers at each point (GPUs sum their pairs in one way, " +
                                      "so there is nothing to compare). Leave --outputs and --gradient away"};
}

template <class T>
void compare(BenchSettings const& settings, std::vector<std::string> const& variants) {
  Comparison<T> comparison(settings);
  for (auto const& variant : variants) comparison.run(variant);
}

}  // namespace

void bench_variants(BenchSettings settings) {
  bool const on_gpus = settings.runtime.gpus > 0;
  if (settings.what == "p2p" && !on_gpus) return bench_pairs(settings);
  if (settings.what == "p2p") expect_all_ways(settings.ewald.plan);
  auto const all = variants_of(settings.what, on_gpus);
  if (settings.runtime.cpus < 0) settings.runtime.cpus = 1;
  if (!on_gpus) settings.runtime.gpus = 0;
  settings.ewald.part = settings.what == "p2p" ? Part::near : Part::far;
  settings.particles.kernel = settings.ewald.plan.kernel;
  settings.particles.box = settings.ewald.plan.box;
  auto const variants = chosen_variants(settings, all);
  if (settings.ewald.precision == Precision::double_) compare<double>(settings, variants);
  else compare<float>(settings, variants);
}

}  // namespace nearfar::cli
