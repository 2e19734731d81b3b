// SPDX-License-Identifier: BSD-3-Clause
#include "cli/calibrate.hpp"
#include "cli/command.hpp"
#include "cli/generate.hpp"
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
  RuntimeOptions runtime;
  GenerateOptions particles;
  int repeat = 5;
  bool json = false;
  std::optional<Kernel> kernel;  ///< that was asked for
  std::optional<int> repeats;
};

struct Measurement {
  EwaldParameters parameters;
  std::vector<SolveReport> solves;  ///< by time, the fastest first
  std::size_t workers = 0;
  std::string scheduler;

  SolveReport const& median() const { return solves[solves.size() / 2]; }
  double rate(std::size_t count) const { return static_cast<double>(count) / median().seconds; }
};

/// One solve to warm up, then the repetitions, one after the other.
template <class T>
Measurement measure(Settings const& settings) {
  Runtime const runtime{settings.runtime};
  auto options = settings.ewald.plan;
  options.count = settings.particles.count;
  BasicEwald<T>{runtime, options};  // refuses what the machine cannot hold before anything is generated
  options.count = 0;
  BasicEwald<T> plan{runtime, options};

  auto const table = generate(settings.particles);
  auto const columns = table.names.size();
  std::vector<T> positions, strengths;
  for (std::size_t i = 0; i < table.values.size(); ++i)
    (i % columns < 3 ? positions : strengths).push_back(static_cast<T>(table.values[i]));

  auto const points = plan.set_points(positions);
  std::vector<T> result(points.targets() *
                        static_cast<std::size_t>(result_components(options.kernel, options.gradient)));
  Measurement measurement{plan.parameters(), {}, runtime.workers().size(), runtime.scheduler()};
  for (int i = 0; i <= settings.repeat; ++i) {
    runtime.mark(i > 0 ? "run " + std::to_string(i) : "warm-up");
    auto solve = plan.submit(points, strengths, result, settings.ewald.part);
    if (i > 0) measurement.solves.push_back(solve.report());
    else solve.wait();
  }
  std::ranges::sort(measurement.solves, {}, &SolveReport::seconds);
  return measurement;
}

void print_json(Settings const& settings, Measurement const& m) {
  auto const& plan = settings.ewald.plan;
  auto const count = settings.particles.count;
  nlohmann::ordered_json json;
  json["bench"] = settings.what;
  json["version"] = NEARFAR_VERSION;
  json["kernel"] = name(plan.kernel);
  json["precision"] = settings.ewald.precision == Precision::double_ ? "double" : "single";
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
  json["scheduler"] = m.scheduler;
  json["workers"] = m.workers;
  json["seconds"] = {
      {"minimum", m.solves.front().seconds}, {"median", m.median().seconds}, {"maximum", m.solves.back().seconds}};
  json["particles_per_second"] = m.rate(count);
  json["predicted_seconds"] = m.median().predicted_seconds;
  json["bound_seconds"] = m.median().bound_seconds;
  json["tasks"] = m.median().tasks;
  json["submit_seconds"] = m.median().submit_seconds;
  json["idle_fraction"] = m.median().idle_fraction;
  json["overlap_fraction"] = m.median().overlap_fraction;
  for (auto const& stage : m.median().stages)
    json["stages"][stage.stage] = {{"tasks", stage.tasks}, {"seconds", stage.seconds}};
  std::printf("%s\n", json.dump(2).c_str());
}

void print_table(Settings const& settings, Measurement const& m) {
  auto const& plan = settings.ewald.plan;
  auto const& p = m.parameters;
  auto const& median = m.median();
  std::printf("%s, %s, %zu particles (%s), tolerance %.2g, %s (%s)\n", settings.what.c_str(),
              std::string(name(plan.kernel)).c_str(), settings.particles.count,
              name_of(settings.particles.distribution), plan.tolerance, counted(m.workers, "worker").c_str(),
              m.scheduler.c_str());
  std::printf("cutoff %.4g, grid %d x %d x %d, window of %d points\n", p.cutoff, p.grid[0], p.grid[1], p.grid[2],
              p.window_points);
  std::printf("%.4g s (%.4g to %.4g in %d runs), %s particles/s, idle %.0f %%, overlap %.0f %%\n", median.seconds,
              m.solves.front().seconds, m.solves.back().seconds, settings.repeat,
              engineering(m.rate(settings.particles.count)).c_str(), 100 * median.idle_fraction,
              100 * median.overlap_fraction);
  for (auto const& stage : median.stages)
    std::printf("  %-12s %8d tasks %12.4g s\n", stage.stage.c_str(), stage.tasks, stage.seconds);
  std::printf("predicted %.4g s, at least %.4g s\n", median.predicted_seconds, median.bound_seconds);
  if (auto const note = uncalibrated_note(median.uncalibrated); !note.empty()) std::printf("%s\n", note.c_str());
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
    json["checks"].push_back({{"kernel", name(c.kernel)},
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
  std::printf("%-18s %10s %12s %10s %12s %10s\n", "kernel", "particles", "seconds", "predicted", "work", "expected");
  for (auto const& c : checks) {
    std::printf("%-18s %10zu %10.4g s %10s %10.4g s %10s\n",
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
  if (settings.what != "ewald")
    throw Error{Fault::bad_input,
                "'" + settings.what + "' is nothing that can be measured; take one of ewald, calibrate"};
  check_gradient(settings.ewald.plan.kernel, settings.ewald.plan.gradient);
  settings.particles.kernel = settings.ewald.plan.kernel;
  settings.particles.box = settings.ewald.plan.box;
  auto const measurement =
      settings.ewald.precision == Precision::double_ ? measure<double>(settings) : measure<float>(settings);
  settings.json ? print_json(settings, measurement) : print_table(settings, measurement);
  return 0;
}

}  // namespace

Command bench_command() {
  auto settings = std::make_shared<Settings>();
  auto& particles = settings->particles;
  particles.count = 100000;
  auto& plan = settings->ewald.plan;
  Options const own = {
      {"WHAT", "",
       "What to measure: ewald, or calibrate: the speed of this machine,\n"
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
  return {"bench",
          "Repeatable measurements, on stdout",
          "ewald: the time of one solve, submit to end, points set before. Median, least and most of the repetitions.\n"
          "calibrate: solves of all kernels (or of --kernel) with up to --count particles, in both precisions, fill\n"
          "StarPU's models of task times and the rates that plans are chosen by; then predictions are compared.",
          "nearfar bench ewald --kernel stokeslet --count 1e6 --tolerance 1e-6 --json",
          join({own, std::move(kernels), box_options(plan.box), ewald_options(settings->ewald),
                runtime_options(settings->runtime), ewald_expert_options(settings->ewald)}),
          [settings] { return run(*settings); }};
}

}  // namespace nearfar::cli
