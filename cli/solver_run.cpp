// SPDX-License-Identifier: BSD-3-Clause
#include "cli/solver_run.hpp"

#include "cli/columns.hpp"
#include "cli/output_path.hpp"
#include "cli/table.hpp"

#include <nearfar/nearfar.hpp>

#include <cstdio>

namespace nearfar::cli {

namespace {

/// 0.5 sum q phi, where that is the energy of the system.
std::optional<double> energy(SolverTask const& task, Particles const& particles, std::vector<double> const& result) {
  if (task.kernel != Kernel::laplace || !particles.at_sources || !task.has_energy) return {};
  auto const columns = static_cast<std::size_t>(result_components(task.kernel, task.gradient));
  long double sum = 0;
  for (std::size_t i = 0; i < particles.strengths.size(); ++i)
    sum += 0.5L * particles.strengths[i] * result[i * columns];
  return static_cast<double>(sum);
}

}  // namespace

int run_solver(SolveSettings const& files, SolverTask const& task, Solver const& solver) {
  Progress progress{files.quiet};
  progress.step("reading");
  auto const particles = read_particles(files, task.kernel);
  progress.step("starting StarPU");
  Runtime const runtime{files.runtime};
  auto solved = solver(runtime, particles, progress);
  auto const total_energy = energy(task, particles, solved.result);
  progress.step("writing");
  write_table(files.output, {result_columns(task.kernel, task.gradient), std::move(solved.result)});
  if (!files.dag.empty()) write_whole(files.dag, [&](std::string const& path) { solved.solve.write_dag(path); });
  progress.end();

  Run const run{task.solver,           task.kernel,       particles.source_count(), particles.target_count(),
                solved.solve.report(), runtime.workers(), runtime.scheduler()};
  auto report = report_of(run);
  if (!solved.report.is_null()) report.update(solved.report);
  if (total_energy) report["energy"] = *total_energy;
  if (solved.relative_error) report["relative_error"] = *solved.relative_error;
  write_report(files.report, std::move(report), progress);

  if (files.quiet) return 0;
  solved.summary(run);
  std::fprintf(stderr, "  time         %s\n", timing_line(run).c_str());
  if (solved.relative_error)
    std::fprintf(stderr, "  check        relative error %.2g against other parameters\n", *solved.relative_error);
  if (total_energy) std::fprintf(stderr, "  energy       %.15g\n", *total_energy);
  print_end(run.solve, files);
  return 0;
}

}  // namespace nearfar::cli
