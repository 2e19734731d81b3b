// SPDX-License-Identifier: BSD-3-Clause
#include "cli/columns.hpp"
#include "cli/command.hpp"
#include "cli/output_path.hpp"
#include "cli/particles.hpp"
#include "cli/progress.hpp"
#include "cli/report.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>

namespace nearfar::cli {

namespace {

struct Settings {
  SolveSettings solve;
  Kernel kernel = Kernel::stokeslet;
  bool gradient = false;
};

int solve(Settings const& settings) {
  auto const& files = settings.solve;
  Progress progress{files.quiet};
  progress.step("reading");
  auto const particles = read_particles(files, settings.kernel);
  progress.step("starting StarPU");
  Runtime const runtime{files.runtime};
  progress.step("solving");
  std::vector<double> result(particles.target_count() *
                             static_cast<std::size_t>(result_components(settings.kernel, settings.gradient)));
  auto solve = direct(runtime, settings.kernel, settings.gradient, particles.sources, particles.targets(),
                      particles.strengths, result);
  solve.wait();
  progress.step("writing");
  write_table(files.output, {result_columns(settings.kernel, settings.gradient), std::move(result)});
  if (!files.dag.empty()) write_whole(files.dag, [&](std::string const& path) { solve.write_dag(path); });
  progress.end();

  Run const run{"direct",       settings.kernel,   particles.source_count(), particles.target_count(),
                solve.report(), runtime.workers(), runtime.scheduler()};
  write_report(files.report, report_of(run), progress);
  if (files.quiet) return 0;
  std::fprintf(stderr, "nearfar direct: %s in free space, %s, %s\n", std::string(name(run.kernel)).c_str(),
               counted(run.sources, "source").c_str(), counted(run.targets, "target").c_str());
  std::fprintf(stderr, "  time         %s\n", timing_line(run).c_str());
  print_end(run.solve, files);
  return 0;
}

}  // namespace

Command direct_command() {
  auto settings = std::make_shared<Settings>();
  return {"direct",
          "The O(N^2) sum in free space, to compare with",
          "Every pair once, in extended precision. A pair at distance zero is left out.",
          "nearfar direct --kernel stokeslet --sources blobs.csv --targets probes.csv --output velocity.csv",
          join({file_options(settings->solve), kernel_options(settings->kernel, settings->gradient),
                runtime_options(settings->solve.runtime)}),
          [settings] {
            check_gradient(settings->kernel, settings->gradient);
            prepare(settings->solve);
            return solve(*settings);
          }};
}

}  // namespace nearfar::cli
