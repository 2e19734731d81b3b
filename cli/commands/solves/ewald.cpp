// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/command.hpp"
#include "cli/commands/solves/ewald_run.hpp"
#include "cli/commands/solves/solver_run.hpp"
#include "cli/parameters.hpp"
#include "cli/report.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <cstdio>
#include <memory>
#include <optional>

namespace nearfar::cli {

namespace {

struct Settings {
  SolveSettings solve;
  EwaldSettings ewald;
  bool check = false;
};

nlohmann::ordered_json report_json(Settings const& settings, EwaldPlanning const& parameters) {
  auto const& plan = settings.ewald.plan;
  nlohmann::ordered_json report;
  report["periodic"] = name(plan.periodicity);
  report["box"] = parameters.box;
  if (plan.cell) report["cell"] = parameters.cell;
  report["precision"] = name_of(settings.ewald.precision);
  report["part"] = name(settings.ewald.part);
  report["split"] = name(plan.split);
  report["window"] = name(plan.window);
  KernelInfo const& kernel = kernel_info(plan.kernel);
  if (kernel.zero_mode && plan.periodicity == Periodicity::xyz)
    report["zero_mode"] = name(plan.zero_mode.value_or(ZeroMode::zero_face_flux));
  if (kernel.gauge_length && periodic_directions(plan.periodicity) == 1)
    report["gauge_length"] = plan.gauge_length.value_or(1);
  if (plan.screening) report["screening"] = *plan.screening;
  report["tolerance"] = plan.tolerance;
  report["tolerance_of"] = plan.tolerance_of == ToleranceOf::whole ? "whole" : "parts";
  report["estimated_error"] = parameters.estimated_error;
  report["parameters"] = shown(parameters, settings.ewald.precision);
  return report;
}

void print_summary(Settings const& settings, Run const& run, EwaldPlanning const& p) {
  auto const& plan = settings.ewald.plan;
  std::fprintf(stderr, "nearfar ewald: %s, periodic %s, %s %s, %s, %s\n", std::string(name(plan.kernel)).c_str(),
               std::string(name(plan.periodicity)).c_str(), plan.cell ? "cell with edges" : "box",
               edges_text(plan.box, p.box).c_str(), counted(run.sources, "source").c_str(),
               counted(run.targets, "target").c_str());
  std::fprintf(stderr, "  parameters   cutoff %.4g, %s split %.4g, grid %d x %d x %d, %s window of %d points\n",
               p.cutoff, std::string(name(plan.split)).c_str(), p.split_parameter, p.grid[0], p.grid[1], p.grid[2],
               std::string(name(plan.window)).c_str(), p.window_points);
  std::fprintf(stderr, "  error        estimated %.2g for tolerance %s, %s precision%s\n", p.estimated_error,
               digits(plan.tolerance).c_str(), name_of(settings.ewald.precision),
               p.far_in_single && p.near_in_single ? ", pairs and grid in single"
               : p.near_in_single                  ? ", pairs within the cutoff in single"
               : p.far_in_single                   ? ", grid in single"
                                                   : "");
  if (p.estimated_error > plan.tolerance)
    std::fprintf(stderr, "  WARNING      %s\n",
                 plan.cutoff || plan.grid || plan.window_points || plan.split_parameter
                     ? "the parameters set by hand do not reach the tolerance"
                     : "the tolerance may be missed: rounding alone comes near it in this box");
  else if (run.solve.sampled_error >= 1)
    std::fprintf(stderr,
                 "  WARNING      the tolerance is missed: %s 0, or so weak that it may be error and nothing else\n",
                 list_of(plan.outputs).size() > 1 ? "an output is" : "the result is");
  else if (run.solve.sampled_error > plan.tolerance)
    std::fprintf(stderr,
                 "  WARNING      the tolerance may be missed: errors are up to %.2g of the %s, which is weak because "
                 "sums cancel%s\n",
                 run.solve.sampled_error, list_of(plan.outputs).size() > 1 ? "worst output" : "result",
                 settings.ewald.precision == Precision::single
                     ? ", or of points so close in a large region that single precision moves them, or below 1.2e-38, "
                       "where it has fewer digits"
                     : "");
  warn_of_energy(run.solve, plan.tolerance);
  if (run.solve.repeats > 0)
    std::fprintf(stderr, "  repeated     %s with finer parameters, because sums cancel and leave a weak field\n",
                 counted(std::size_t(run.solve.repeats), "time").c_str());
}

template <class T>
int solve(Settings const& settings) {
  auto const& plan = settings.ewald.plan;
  return run_solver(settings.solve, {"ewald", plan.kernel, plan.outputs},
                    [&](Runtime const& runtime, Particles const& particles, Progress& progress) {
                      auto outcome = run_ewald<T>(runtime, plan, settings.ewald.part, particles, progress);
                      auto const& chosen = outcome.parameters;
                      std::optional<CheckErrors> check;
                      if (settings.check) {
                        progress.step("checking");
                        check = difference_to_other_parameters(runtime, plan, particles, outcome);
                      }
                      return Solved{std::move(outcome.solve), std::move(outcome.result), report_json(settings, chosen),
                                    [&settings, chosen](Run const& run) { print_summary(settings, run, chosen); },
                                    check};
                    });
}

}  // namespace

Command ewald_command() {
  auto settings = std::make_shared<Settings>();
  auto& plan = settings->ewald.plan;
  Options const check = {{"--check", "",
                          "Solve again with other parameters and print the relative error, of the\n"
                          "energy and the virial, too",
                          [settings](std::string const&) { settings->check = true; }}};
  return {"ewald",
          "Sums over particles, periodic or in free space, by Ewald summation",
          "A source does not act on itself, but its images do. In a box periodic in all directions, Stokeslets have\n"
          "zero mean flow and charges a neutralising background. Double layers have either no flux through the faces\n"
          "of the cell (which uses coordinates as given, not wrapped) or no mean flow.\n"
          "Results are not scaled: multiply velocities by 1/(8 pi mu) and potentials by 1/(4 pi epsilon).",
          "nearfar ewald --kernel laplace --tolerance 1e-9 --sources salt.csv --output potential.csv",
          join({file_options(settings->solve), kernel_options(plan.kernel, plan.outputs), virial_option(plan.virial),
                screening_options(plan.screening), open_box_options(settings->ewald), ewald_options(settings->ewald),
                check, runtime_options(settings->solve.runtime), network_options(settings->solve.runtime),
                ewald_expert_options(settings->ewald)}),
          [settings] {
            auto const& ewald = settings->ewald;
            settle_box(settings->ewald);
            settle_virial(settings->ewald.plan);
            expect_outputs(ewald.plan.kernel, ewald.plan.outputs);
            if (ewald.plan.virial && ewald.part != Part::whole)
              throw Error{Fault::bad_input,
                          "--virial is of whole sums, and --part asks for one part; leave one of them out"};
            if (settings->check && ewald.part != Part::whole)
              throw Error{Fault::bad_input,
                          "--check compares whole sums, and --part asks for one part; leave one of them out"};
            prepare(settings->solve);
            return ewald.precision == Precision::double_ ? solve<double>(*settings) : solve<float>(*settings);
          },
          true};
}

}  // namespace nearfar::cli
