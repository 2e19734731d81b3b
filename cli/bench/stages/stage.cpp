// SPDX-License-Identifier: BSD-3-Clause
// One stage of a solve: what its tasks took, summed over workers, and how much work that was.
#include "cli/bench/bench.hpp"
#include "cli/bench/stages/grid_numbers.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace nearfar::cli {

namespace {

/// Named numbers of one line of output.
using Values = std::vector<std::pair<std::string, double>>;

/// Seconds and flops of the tasks of some stages, solve by solve.
struct StageWork {
  std::vector<double> seconds;
  double flops = 0;  ///< of one solve

  StageWork(Measurement const& times, std::vector<std::string> const& stages) {
    for (auto const& solve : times.solves) {
      double sum = 0;
      flops = 0;
      for (auto const& stage : solve.stages)
        if (std::ranges::count(stages, stage.stage) > 0) {
          sum += stage.seconds;
          flops += stage.flops;
        }
      seconds.push_back(sum);
    }
    std::ranges::sort(seconds);
  }
  double median() const { return seconds[seconds.size() / 2]; }
};

/// The best of several bursts.
double peak_of(Precision precision) {
  double best = 0;
  for (int i = 0; i < 5; ++i)
    best = std::max(best, precision == Precision::double_ ? peak_flops<double>() : peak_flops<float>());
  return best;
}

void add_rate(Values& values, double flops, double seconds, double peak) {
  values.emplace_back("gflops", 1e-9 * flops / seconds);
  values.emplace_back("peak_gflops", 1e-9 * peak);
  values.emplace_back("peak_share", flops / seconds / peak);
}

void print_stage(BenchSettings const& settings, nlohmann::ordered_json head, std::vector<double> const& seconds,
                 Values const& values) {
  auto const median = seconds[seconds.size() / 2];
  if (settings.json) {
    head["seconds"] = {{"minimum", seconds.front()}, {"median", median}, {"maximum", seconds.back()}};
    for (auto const& [key, value] : values) head[key] = value;
    return print_line(head);
  }
  print("%s, %s, %s: %.4g s (%.4g to %.4g in %zu runs)\n", settings.what.c_str(),
        head["kernel"].get<std::string>().c_str(), head["precision"].get<std::string>().c_str(), median,
        seconds.front(), seconds.back(), seconds.size());
  for (auto const& [key, value] : values) print("  %-24s %12.4g\n", key.c_str(), value);
}

void pairs_of_ewald(BenchSettings& settings) {
  auto& plan = settings.ewald.plan;
  double const count = static_cast<double>(settings.particles.count);
  if (settings.neighbours) {
    if (plan.cutoff)
      throw Error{Fault::bad_input,
                  "--neighbours and --cutoff are both given, and each decides the other; leave one of them out"};
    double const volume = plan.box[0] * plan.box[1] * plan.box[2];
    plan.cutoff = std::cbrt(*settings.neighbours * volume * 3 / (4 * std::numbers::pi * count));
  }
  settings.ewald.part = Part::near;
  double const peak = peak_of(settings.ewald.precision);
  auto const figures = measure_ewald(settings, true);
  StageWork const work(figures.times, {"p2p"});
  double const flops = figures.parameters.flops_per_pair;
  Values values{{"pairs", figures.pairs},
                {"neighbours", figures.pairs / count},
                {"ns_per_pair", 1e9 * work.median() / figures.pairs},
                {"pairs_per_second", figures.pairs / work.median()},
                {"flops_per_pair", flops}};
  add_rate(values, flops * figures.pairs, work.median(), peak);
  print_stage(settings, head_of(settings, figures), work.seconds, values);
}

void pairs_of_fmm(BenchSettings& settings) {
  double const peak = peak_of(settings.fmm.precision);
  auto const figures = measure_fmm(settings);
  StageWork const work(figures.times, {"leaf_p2p"});
  double const pairs = static_cast<double>(figures.parameters.pairs);
  Values values{{"neighbours", pairs / static_cast<double>(settings.particles.count)},
                {"ns_per_pair", 1e9 * work.median() / pairs},
                {"pairs_per_second", pairs / work.median()},
                {"flops_per_pair", work.flops / pairs}};
  add_rate(values, work.flops, work.median(), peak);
  print_stage(settings, head_of(settings, figures), work.seconds, values);
}

void windows(BenchSettings& settings, bool spread) {
  settings.ewald.part = Part::far;
  GridNumbers const numbers = grid_numbers(settings.ewald.plan.kernel);
  double const components = spread ? numbers.spread : numbers.gathered;
  auto const figures = measure_ewald(settings);
  StageWork const work(figures.times, {settings.what});
  double const points = components * static_cast<double>(settings.particles.count);
  print_stage(settings, head_of(settings, figures), work.seconds,
              {{"components", components},
               {"window_points", figures.parameters.window_points},
               {"points_per_second", points / work.median()}});
}

/// Forward transforms of all components, the multiplication, and the inverse transforms.
void transforms(BenchSettings& settings) {
  if (settings.ewald.plan.periodicity != Periodicity::xyz)
    throw Error{Fault::bad_input,
                "fft is measured for --periodic xyz only: along free directions transforms have many lengths; leave "
                "--periodic out"};
  settings.ewald.part = Part::far;
  GridNumbers const numbers = grid_numbers(settings.ewald.plan.kernel);
  double const components = numbers.spread + numbers.gathered;
  auto const figures = measure_ewald(settings);
  StageWork const work(figures.times, {"fft", "scale", "ifft"});
  auto const& grid = figures.parameters.grid;
  double const points = 1.0 * grid[0] * grid[1] * grid[2], flops = components * 2.5 * points * std::log2(points);
  print_stage(settings, head_of(settings, figures), work.seconds,
              {{"transforms", components},
               {"grid_points", points},
               {"seconds_per_transform", work.median() / components},
               {"gflops", 1e-9 * flops / work.median()}});
}

void translations(BenchSettings& settings) {
  double const peak = peak_of(settings.fmm.precision);
  auto const figures = measure_fmm(settings);
  StageWork const work(figures.times, {"m2l"});
  double const links = static_cast<double>(figures.parameters.translations);
  if (links == 0)
    throw Error{Fault::bad_input,
                "there is nothing to translate: all boxes of the tree touch; take more particles or a --depth of 2 or "
                "more"};
  Values values{{"order", figures.parameters.order},
                {"translations_per_second", links / work.median()},
                {"flops_per_translation", work.flops / links}};
  add_rate(values, work.flops, work.median(), peak);
  print_stage(settings, head_of(settings, figures), work.seconds, values);
}

}  // namespace

std::vector<std::string> bench_stages() { return {"p2p", "fmm-p2p", "p2g", "g2p", "fft", "m2l"}; }

void bench_stage(BenchSettings settings) {
  if (settings.runtime.cpus < 0) settings.runtime.cpus = 1;
  if (settings.runtime.gpus < 0) settings.runtime.gpus = 0;
  if (settings.what == "p2p") return pairs_of_ewald(settings);
  if (settings.what == "fmm-p2p") return pairs_of_fmm(settings);
  if (settings.what == "fft") return transforms(settings);
  if (settings.what == "m2l") return translations(settings);
  windows(settings, settings.what == "p2g");
}

void bench_peak(BenchSettings const& settings) {
  std::vector<double> rates;
  for (int i = 0; i < settings.repeat; ++i)
    rates.push_back(1e-9 *
                    (settings.ewald.precision == Precision::double_ ? peak_flops<double>() : peak_flops<float>()));
  std::ranges::sort(rates);
  auto const median = rates[rates.size() / 2];
  if (!settings.json) {
    print("peak, %s, %s: %.4g Gflop/s (%.4g to %.4g in %zu runs)\n", name_of(settings.ewald.precision),
          simd_level_name().c_str(), median, rates.front(), rates.back(), rates.size());
    return;
  }
  auto json = conditions(settings.what, {});
  json["precision"] = name_of(settings.ewald.precision);
  json["repeat"] = settings.repeat;
  json["peak_gflops"] = {{"minimum", rates.front()}, {"median", median}, {"maximum", rates.back()}};
  print_line(json);
}

}  // namespace nearfar::cli
