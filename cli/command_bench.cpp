// SPDX-License-Identifier: BSD-3-Clause
#include "cli/bench_fmm.hpp"
#include "cli/calibrate.hpp"
#include "cli/command.hpp"
#include "cli/generate.hpp"
#include "cli/measurement.hpp"
#include "cli/number.hpp"
#include "cli/options.hpp"
#include "cli/particles.hpp"
#include "cli/report.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>

namespace nearfar::cli {

namespace {

struct Settings {
  std::string what;
  EwaldSettings ewald;
  FmmSettings fmm;
  RuntimeOptions runtime;
  GenerateOptions particles;
  int repeat = 5;
  bool json = false;
  std::optional<Kernel> kernel;  ///< that was asked for
  std::optional<int> repeats;
};

struct Figures {
  EwaldParameters parameters;
  Measurement times;
};

template <class T>
Figures figures_of(Settings const& settings) {
  Runtime const runtime{settings.runtime};
  auto options = settings.ewald.plan;
  options.count = settings.particles.count;
  BasicEwald<T>{runtime, options};  // refuses what the machine cannot hold before anything is generated
  options.count = 0;
  BasicEwald<T> plan{runtime, options};
  Rows<T> const rows{settings.particles};
  auto const points = plan.set_points(rows.positions);
  std::vector<T> result(points.targets() *
                        static_cast<std::size_t>(result_components(options.kernel, options.gradient)));
  return {plan.parameters(), measure(runtime, settings.repeat,
                                     [&] { return plan.submit(points, rows.strengths, result, settings.ewald.part); })};
}

void print_json(Settings const& settings, Figures const& m) {
  auto const& plan = settings.ewald.plan;
  auto const count = settings.particles.count;
  nlohmann::ordered_json json;
  json["bench"] = settings.what;
  json["version"] = NEARFAR_VERSION;
  json["kernel"] = name(plan.kernel);
  json["precision"] = name_of(settings.ewald.precision);
  json["part"] = name(settings.ewald.part);
  json["distribution"] = name_of(settings.particles.distribution);
  json["count"] = count;
  json["tolerance"] = plan.tolerance;
  json["box"] = plan.box;
  json["repeat"] = settings.repeat;
  json["parameters"] = {{"cutoff", m.parameters.cutoff},
                        {"grid", m.parameters.grid},
                        {"window_points", m.parameters.window_points},
                        {"estimated_error", m.parameters.estimated_error}};
  add_times(json, m.times, count);
  std::printf("%s\n", json.dump(2).c_str());
}

void print_table(Settings const& settings, Figures const& m) {
  auto const& plan = settings.ewald.plan;
  auto const& p = m.parameters;
  std::printf("%s, %s, %zu particles (%s), tolerance %.2g, %s (%s)\n", settings.what.c_str(),
              std::string(name(plan.kernel)).c_str(), settings.particles.count,
              name_of(settings.particles.distribution), plan.tolerance, counted(m.times.workers, "worker").c_str(),
              m.times.scheduler.c_str());
  std::printf("cutoff %.4g, grid %d x %d x %d, window of %d points\n", p.cutoff, p.grid[0], p.grid[1], p.grid[2],
              p.window_points);
  print_times(m.times, settings.particles.count);
}

/// In per cent of what was measured; "-" where nothing was predicted.
std::string share(double predicted, double measured) {
  return predicted > 0 && measured > 0 ? text("%.0f %%", 100 * predicted / measured) : "-";
}

void print_json(std::vector<CalibrationCheck> const& checks) {
  nlohmann::ordered_json json;
  json["bench"] = "calibrate";
  json["version"] = NEARFAR_VERSION;
  for (auto const& c : checks)
    json["checks"].push_back({{"method", name_of(c.method)},
                              {"kernel", name(c.kernel)},
                              {"gradient", c.gradient},
                              {"count", c.count},
                              {"seconds", c.seconds},
                              {"predicted_seconds", c.predicted},
                              {"work_seconds", c.work},
                              {"expected_work_seconds", c.expected},
                              {"uncalibrated", c.uncalibrated}});
  std::printf("%s\n", json.dump(2).c_str());
}

void print_table(std::vector<CalibrationCheck> const& checks) {
  std::printf("%-6s %-18s %10s %12s %10s %12s %10s\n", "method", "kernel", "particles", "seconds", "predicted", "work",
              "expected");
  for (auto const& c : checks) {
    std::printf("%-6s %-18s %10zu %10.4g s %10s %10.4g s %10s\n", name_of(c.method),
                (std::string(name(c.kernel)) + (c.gradient ? ", gradient" : "")).c_str(), c.count, c.seconds,
                share(c.predicted, c.seconds).c_str(), c.work, share(c.expected, c.work).c_str());
    if (!c.uncalibrated.empty()) std::printf("  %s\n", uncalibrated_note(c.uncalibrated).c_str());
  }
  std::printf("predicted: by the plan, were no worker ever idle; expected: by StarPU's models of task times\n");
}

int run_calibration(Settings const& settings) {
  CalibrationSettings calibration;
  calibration.runtime = settings.runtime;
  calibration.plan = settings.ewald.plan;
  calibration.kernel = settings.kernel;
  calibration.count = settings.particles.count;
  calibration.seed = settings.particles.seed;
  if (settings.repeats) calibration.repeat = *settings.repeats;
  auto const checks = calibrate(calibration);
  settings.json ? print_json(checks) : print_table(checks);
  return 0;
}

int run(Settings& settings) {
  if (settings.what == "calibrate") return run_calibration(settings);
  if (settings.what == "fmm") {
    settle_box(settings.fmm);
    check_gradient(settings.fmm.plan.kernel, settings.fmm.plan.gradient);
    settings.particles.kernel = settings.fmm.plan.kernel;
    settings.fmm.precision = settings.ewald.precision;
    if (std::ranges::count(settings.fmm.plan.box, 0) == 0) settings.particles.box = settings.fmm.plan.box;
    bench_fmm(settings.fmm, settings.particles, settings.runtime, settings.repeat, settings.json);
    return 0;
  }
  if (settings.what != "ewald")
    throw Error{Fault::bad_input,
                "'" + settings.what + "' is nothing that can be measured; take one of ewald, fmm, calibrate"};
  check_gradient(settings.ewald.plan.kernel, settings.ewald.plan.gradient);
  settings.particles.kernel = settings.ewald.plan.kernel;
  settings.particles.box = settings.ewald.plan.box;
  auto const figures =
      settings.ewald.precision == Precision::double_ ? figures_of<double>(settings) : figures_of<float>(settings);
  settings.json ? print_json(settings, figures) : print_table(settings, figures);
  return 0;
}

/// Both tables: an option that is in both sets both.
Options both(Options first, Options const& second) {
  for (auto const& other : second) {
    auto const same = std::ranges::find(first, other.flag, &Option::flag);
    if (same == first.end()) {
      first.push_back(other);
      continue;
    }
    same->set = [one = same->set, two = other.set](std::string const& text) {
      one(text);
      two(text);
    };
  }
  return first;
}

}  // namespace

Command bench_command() {
  auto settings = std::make_shared<Settings>();
  auto& particles = settings->particles;
  particles.count = 100000;
  auto& plan = settings->ewald.plan;
  auto& fmm = settings->fmm.plan;
  Options const own = {
      {"WHAT", "",
       "What to measure: ewald, fmm, or calibrate: the speed of this machine,\n"
       "which plans and schedulers go by",
       [settings](std::string const& text) { settings->what = text; }, "Arguments", true},
      {"--count", "N", "Particles [100000]",
       [&particles](std::string const& text) {
         particles.count = static_cast<std::size_t>(count_option("--count", text, 1));
       }},
      {"--distribution", "NAME", "As of nearfar generate [uniform]",
       [&particles](std::string const& text) { particles.distribution = distribution_from_name(text); }},
      {"--seed", "S", "Another seed gives other particles [1]",
       [&particles](std::string const& text) {
         particles.seed = static_cast<std::uint64_t>(count_option("--seed", text, 0));
       }},
      {"--repeat", "R", "Timed solves, after one to warm up [5]",
       [settings](std::string const& text) {
         settings->repeat = small_count_option("--repeat", text, 1);
         settings->repeats = settings->repeat;
       }},
      {"--json", "", "Print JSON", [settings](std::string const&) { settings->json = true; }}};
  auto kernels = kernel_options(plan.kernel, plan.gradient);
  for (auto& option : kernels)
    if (option.flag == "--kernel")
      option.set = [settings, set = option.set](std::string const& text) {
        set(text);
        settings->kernel = settings->ewald.plan.kernel;
      };
  return {
      "bench",
      "Repeatable measurements, on stdout",
      "ewald, fmm: the time of one solve, submit to end, points set before. Median, least and most of the\n"
      "repetitions. Defaults of kernel, periodic and box are those of the method: see its own command.\n"
      "calibrate: solves of all kernels (or of --kernel) with up to --count particles, in both precisions and by both\n"
      "methods, fill StarPU's models of task times and the rates that plans are chosen by; then predictions are "
      "compared.",
      "nearfar bench ewald --kernel stokeslet --count 1e6 --tolerance 1e-6 --json",
      join({own,
            both(join({std::move(kernels), box_options(plan.box), ewald_options(settings->ewald)}),
                 join({kernel_options(fmm.kernel, fmm.gradient), fmm_options(settings->fmm)})),
            runtime_options(settings->runtime),
            both(ewald_expert_options(settings->ewald), fmm_expert_options(settings->fmm))}),
      [settings] { return run(*settings); }};
}

}  // namespace nearfar::cli
