// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/solves/solver_run.hpp"

#include "cli/commands/solves/run_outputs.hpp"
#include "cli/io/output_files.hpp"
#include "cli/io/particles/columns.hpp"
#include "cli/table.hpp"

#include <nearfar/gather.hpp>
#include <nearfar/nearfar.hpp>

#include <cstdio>
#include <optional>
#include <string>

namespace nearfar::cli {

namespace {

/// Writes the requested files and prints a summary.
void finish(SolveSettings const& files, SolverTask const& task, std::optional<Runtime>& runtime,
            Particles const& particles, TraceFolder const& trace, OutputFiles& outputs, Solved& solved,
            Progress& progress) {
  write_dag(outputs, files.dag, solved.solve);
  progress.end();

  Run const run{task.solver,           task.kernel,        particles.all_sources, particles.all_targets,
                solved.solve.report(), runtime->workers(), runtime->scheduler(),  implementations_used(solved.solve)};
  auto report = report_of(run);
  if (!solved.report.is_null()) report.update(solved.report);
  if (solved.check) add_check(report, *solved.check);
  write_report(outputs, files.report, std::move(report), progress);

  if (runtime->ranks() == 1) {  // several ranks shut down together later
    solved.solve = Solve();     // it would keep StarPU running, and so the trace open
    runtime.reset();
    trace.expect_new_trace();
  }
  outputs.commit();
  if (files.quiet) return;
  solved.summary(run);
  std::fprintf(stderr, "  time         %s\n", timing_line(run).c_str());
  if (solved.check) print_check(*solved.check);
  print_energy(run.solve);
  print_end(run.solve, files);
}

}  // namespace

int run_solver(SolveSettings const& files, SolverTask const& task, Solver const& solver) {
  Progress progress{files.quiet || launch().rank > 0};
  Particles particles;
  particles.at_sources = files.targets.empty();
  auto const read = [&] {
    progress.step("reading");
    auto const [rank, ranks] = launch();
    particles = read_particles(files, task.kernel, rank, ranks);
  };
  // Several ranks read after the runtime is up, because only then can they tell each other what is wrong.
  bool const several = launch().ranks > 1;
  if (!several) read();
  TraceFolder const trace{files.runtime.trace};
  OutputFiles outputs;
  progress.step("starting StarPU");
  std::optional<Runtime> runtime{files.runtime};
  if (several) together(*runtime, read);
  auto solved = solver(*runtime, particles, progress);
  progress.step("writing");
  write_ranks(*runtime, outputs, files.output, result_columns(task.kernel, task.outputs), particles.all_targets,
              solved.result);
  auto const end = [&] { finish(files, task, runtime, particles, trace, outputs, solved, progress); };
  if (!several) {
    end();
    return 0;
  }
  on_first(*runtime, end);
  solved.solve = Solve();
  runtime.reset();
  if (launch().rank == 0) trace.expect_new_trace();
  return 0;
}

}  // namespace nearfar::cli
