// SPDX-License-Identifier: BSD-3-Clause
#include "cli/report.hpp"

#include "cli/io/output_path.hpp"
#include "cli/text.hpp"

#include <nearfar/error.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <sys/resource.h>

namespace nearfar::cli {

namespace {

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

}  // namespace

double particles_per_second(Run const& run) {
  return run.solve.seconds > 0 ? static_cast<double>(run.targets) / run.solve.seconds : 0;
}

void add_solve(nlohmann::ordered_json& report, SolveReport const& solve, std::vector<Worker> const& workers,
               std::string const& scheduler) {
  report["seconds"]["total"] = solve.seconds;
  for (auto const& stage : solve.stages) report["seconds"][stage.stage] = stage.seconds;
  report["scheduler"] = scheduler;
  report["ranks"] = solve.ranks;
  if (solve.ranks > 1) {
    report["sent_bytes"] = solve.sent_bytes;
    report["direct_bytes"] = solve.direct_bytes;
  }
  report["workers"] = solve.workers;
  for (auto const& worker : workers) report["worker_kinds"].push_back(worker.kind);
  report["tasks"] = solve.tasks;
  for (auto const& stage : solve.stages) report["tasks_per_stage"][stage.stage] = stage.tasks;
  report["submit_seconds"] = solve.submit_seconds;
  report["idle_fraction"] = solve.idle_fraction;
  report["overlap_fraction"] = solve.overlap_fraction;
  report["critical_seconds"] = solve.critical_seconds;
  report["bound_seconds"] = solve.bound_seconds;
  if (solve.predicted_seconds > 0) report["predicted_seconds"] = solve.predicted_seconds;
  for (auto const& stage : solve.stages)
    if (stage.expected_seconds > 0) report["expected_seconds"][stage.stage] = stage.expected_seconds;
  if (solve.sampled_error > 0) report["sampled_error"] = solve.sampled_error;
  if (solve.repeats > 0) report["repeats"] = solve.repeats;
  if (solve.energy) report["energy"] = *solve.energy;
  if (solve.energy_error > 0) report["energy_error"] = solve.energy_error;
  if (solve.virial) report["virial"] = *solve.virial;
  if (solve.virial_error > 0) report["virial_error"] = solve.virial_error;
  if (!solve.uncalibrated.empty()) report["uncalibrated"] = solve.uncalibrated;
}

void add_uses(nlohmann::ordered_json& report, std::vector<ImplementationUse> const& uses) {
  for (auto const& use : uses) report["implementations"][use.stage][use.worker][use.implementation] = use.tasks;
}

void add_check(nlohmann::ordered_json& report, CheckErrors const& errors) {
  report["relative_error"] = errors.result;
  if (errors.energy) report["relative_error_energy"] = *errors.energy;
  if (errors.virial) report["relative_error_virial"] = *errors.virial;
}

nlohmann::ordered_json report_of(Run const& run) {
  nlohmann::ordered_json report;
  report["solver"] = run.solver;
  report["version"] = NEARFAR_VERSION;
  report["kernel"] = name(run.kernel);
  report["counts"] = {{"sources", run.sources}, {"targets", run.targets}};
  report["particles_per_second"] = particles_per_second(run);
  add_solve(report, run.solve, run.workers, run.scheduler);
  add_uses(report, run.uses);
  return report;
}

void write_report(OutputFiles& files, std::string const& path, nlohmann::ordered_json report,
                  Progress const& progress) {
  if (path.empty()) return;
  for (auto const& [step, seconds] : progress.seconds()) report["program_seconds"][step] = seconds;
  report["peak_bytes"] = static_cast<std::uint64_t>(peak_bytes());
  files.write(path, [path, text = report.dump(2)](std::string const& file_path) {
    std::ofstream file{file_path};
    file << text << '\n' << std::flush;
    if (!file) throw write_failed(path);
  });
}

std::string uncalibrated_note(std::vector<std::string> const& uncalibrated) {
  if (uncalibrated.empty()) return {};
  std::string stages;
  for (auto const& stage : uncalibrated) stages += (stages.empty() ? "" : ", ") + stage;
  return "the scheduler had no measured times for some tasks of " + stages +
         "; 'nearfar bench calibrate' measures them";
}

std::string timing_line(Run const& run) {
  auto const& solve = run.solve;
  auto const overlap = run.solver == "direct" ? std::string() : text(", overlap %.0f %%", 100 * solve.overlap_fraction);
  auto const predicted =
      solve.predicted_seconds > 0 ? text(" (predicted %.3g s)", solve.predicted_seconds) : std::string();
  auto const workers = counted(run.workers.size(), "worker") +
                       (solve.ranks > 1 ? " on each of " + std::to_string(solve.ranks) + " ranks" : std::string());
  return text("%.3g s%s, %s particles/s, %s (%s), idle %.0f %%", solve.seconds, predicted.c_str(),
              engineering(particles_per_second(run)).c_str(), workers.c_str(), run.scheduler.c_str(),
              100 * solve.idle_fraction) +
         overlap;
}

void warn_of_energy(SolveReport const& solve, double tolerance) {
  if (solve.sampled_error > tolerance) return;
  auto const warn = [&](char const* what, double error, char const* of) {
    if (error <= tolerance) return;
    std::fprintf(stderr,
                 "  WARNING      the %s may be off by %.2g of %s, more than the tolerance: it is so small because "
                 "energies cancel. A smaller --tolerance brings it nearer\n",
                 what, error, of);
  };
  if (solve.energy && !std::isfinite(*solve.energy))
    std::fprintf(stderr,
                 "  WARNING      the energy is beyond the range of numbers (1.8e308), as it goes with the square of "
                 "strengths. Scale them down\n");
  warn("energy", solve.energy_error, "itself");
  warn("virial", solve.virial_error, "its largest number");
}

void print_energy(SolveReport const& solve) {
  if (solve.energy) std::fprintf(stderr, "  energy       %.15g\n", *solve.energy);
  if (auto const& w = solve.virial)
    std::fprintf(stderr, "  virial       xx %.8g, yy %.8g, zz %.8g, xy %.8g, xz %.8g, yz %.8g\n", (*w)[0], (*w)[1],
                 (*w)[2], (*w)[3], (*w)[4], (*w)[5]);
}

void print_check(CheckErrors const& errors) {
  std::fprintf(stderr, "  check        relative error %.2g against other parameters\n", errors.result);
  if (errors.energy) std::fprintf(stderr, "               %.2g of the energy\n", *errors.energy);
  if (errors.virial) std::fprintf(stderr, "               %.2g of the virial's largest component\n", *errors.virial);
}

void print_end(SolveReport const& solve, SolveSettings const& settings) {
  double total = 0;
  for (auto const& stage : solve.stages) total += stage.seconds;
  std::fprintf(stderr, "  %-12s %8s %12s %8s\n", "stage", "tasks", "seconds", "share");
  for (auto const& stage : solve.stages)
    std::fprintf(stderr, "  %-12s %8d %12.4g %6.1f %%\n", stage.stage.c_str(), stage.tasks, stage.seconds,
                 total > 0 ? 100 * stage.seconds / total : 0);
  std::fprintf(stderr, "  %-12s %8d %12.4g   (summed over workers)\n", "all", solve.tasks, total);
  if (auto const note = uncalibrated_note(solve.uncalibrated); !note.empty())
    std::fprintf(stderr, "  note         %s\n", note.c_str());
  if (auto const& trace = settings.runtime.trace; !trace.empty())
    std::fprintf(stderr, "  trace        see 'nearfar trace %s'\n", trace.c_str());
}

}  // namespace nearfar::cli
