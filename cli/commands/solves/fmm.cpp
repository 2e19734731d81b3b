// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/command.hpp"
#include "cli/commands/solves/solver_run.hpp"
#include "cli/parameters.hpp"
#include "cli/report.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <cstdio>
#include <memory>
#include <vector>

namespace nearfar::cli {

namespace {

struct Settings {
  SolveSettings solve;
  FmmSettings fmm;
};

nlohmann::ordered_json report_json(Settings const& settings, FmmPlanning const& p) {
  auto const& plan = settings.fmm.plan;
  nlohmann::ordered_json report;
  report["periodic"] = name(plan.periodicity);
  report["box"] = p.box;
  report["precision"] = name_of(settings.fmm.precision);
  if (plan.periodicity == Periodicity::xyz) report["boundary"] = name(plan.boundary);
  report["tolerance"] = plan.order ? nlohmann::ordered_json() : nlohmann::ordered_json(plan.tolerance);
  report["estimated_error"] = p.estimated_error;
  if (plan.softening) report["softening"] = *plan.softening;
  report["parameters"] = shown(p, settings.fmm.precision);
  return report;
}

void print_summary(Settings const& settings, Run const& run, FmmPlanning const& p) {
  auto const& plan = settings.fmm.plan;
  std::fprintf(stderr, "nearfar fmm: %s, periodic %s, root %s, %s, %s\n", std::string(name(plan.kernel)).c_str(),
               std::string(name(plan.periodicity)).c_str(), edges_text(plan.box, p.box).c_str(),
               counted(run.sources, "source").c_str(), counted(run.targets, "target").c_str());
  std::fprintf(stderr, "  parameters   order %d, depth %d, %s, well separation %d, %s\n", p.order, p.depth,
               p.capacity > 0 ? text("at most %d in a leaf", p.capacity).c_str() : "all leaves on one level",
               p.well_separation, text("%zu boxes", p.boxes).c_str());
  bool const single = settings.fmm.precision == Precision::single;
  char const* const pairs = p.near_in_single ? ", pairs in single" : "";
  if (plan.order) {
    std::fprintf(stderr, "  error        estimated %.2g, %s precision%s\n", p.estimated_error,
                 name_of(settings.fmm.precision), pairs);
    return;
  }
  std::fprintf(stderr, "  error        estimated %.2g for tolerance %s, %s precision%s\n", p.estimated_error,
               digits(plan.tolerance).c_str(), name_of(settings.fmm.precision), pairs);
  char const* const or_virial = plan.virial ? ", or the virial," : "";
  if (run.solve.sampled_error > plan.tolerance)
    std::fprintf(stderr,
                 "  WARNING      the tolerance is missed: a sample of the targets%s has an error of %.2g. %s, and %s "
                 "precision rounds too much\n",
                 or_virial, run.solve.sampled_error,
                 single ? "Sums cancel, or points are very close in a large region, or results are below 1.2e-38"
                        : "Sums cancel",
                 name_of(single || p.near_in_single ? Precision::single : Precision::double_));
  else if (p.estimated_error > plan.tolerance)
    std::fprintf(
        stderr,
        "  WARNING      the parameters may miss the tolerance: they were set by hand, or too few strengths dominate "
        "the sum for the highest order\n");
  warn_of_energy(run.solve, plan.tolerance);
  if (run.solve.repeats > 0)
    std::fprintf(stderr,
                 "  repeated     %s with finer parameters, because a sample of the targets%s missed the tolerance\n",
                 counted(std::size_t(run.solve.repeats), "time").c_str(), or_virial);
}

template <class T>
int solve(Settings const& settings) {
  auto const& plan = settings.fmm.plan;
  return run_solver(settings.solve, {"fmm", plan.kernel, plan.outputs},
                    [&](Runtime const& runtime, Particles const& particles, Progress& progress) {
                      progress.step("planning");
                      tune_once<T>(runtime, particles.all_sources);
                      BasicFmm<T> fmm{runtime, plan};
                      std::vector<T> store;
                      auto const strengths = converted<T>(particles.strengths, store);
                      auto const points = points_of<T>(fmm, particles);
                      std::vector<T> result(particles.target_count() *
                                            static_cast<std::size_t>(result_components(plan.kernel, plan.outputs)));
                      progress.step("solving");
                      auto solve = fmm.submit(points, strengths, result);
                      progress.wait(solve);
                      progress.end();
                      auto const chosen = points.parameters();
                      return Solved{std::move(solve), std::vector<double>(result.begin(), result.end()),
                                    report_json(settings, chosen),
                                    [&settings, chosen](Run const& run) { print_summary(settings, run, chosen); }};
                    });
}

}  // namespace

Command fmm_command() {
  auto settings = std::make_shared<Settings>();
  auto& plan = settings->fmm.plan;
  return {"fmm",
          "Sums over particles in free space, or periodic charges and dipoles, by the fast multipole method",
          "Points may be clustered: the tree adapts to them. A source does not act on itself, but its images do. A\n"
          "periodic cell that is not neutral has a uniform background.\n"
          "Results are not scaled: multiply velocities by 1/(8 pi mu) and potentials by 1/(4 pi epsilon).",
          "nearfar fmm --kernel laplace --gradient --tolerance 1e-6 --sources stars.csv --output field.csv",
          join({file_options(settings->solve), kernel_options(plan.kernel, plan.outputs, multipole_kernels()),
                virial_option(plan.virial), fmm_options(settings->fmm), runtime_options(settings->solve.runtime),
                network_options(settings->solve.runtime), fmm_expert_options(settings->fmm)}),
          [settings] {
            settle_box(settings->fmm);
            settle_virial(settings->fmm.plan);
            expect_outputs(settings->fmm.plan.kernel, settings->fmm.plan.outputs);
            prepare(settings->solve);
            return settings->fmm.precision == Precision::double_ ? solve<double>(*settings) : solve<float>(*settings);
          },
          true};
}

}  // namespace nearfar::cli
