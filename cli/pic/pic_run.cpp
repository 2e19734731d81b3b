// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/solves/run_outputs.hpp"
#include "cli/pic/pic_loop.hpp"
#include "cli/pic/settings.hpp"
#include "cli/report.hpp"
#include "cli/table.hpp"
#include "cli/text.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>

namespace nearfar::cli {

namespace {

/// The initial state. Of several ranks only the first has the particles; the others know what is common to all.
PicStart start_of(PicSettings const& s, bool with_particles) {
  if (s.known.empty()) return with_particles ? read_checkpoint(s.files.sources) : read_checkpoint_head(s.files.sources);
  PicStart start{s.plan, s.precision, 0, {}, {}, {}};
  fill_penning_trap(start, with_particles ? s.particles : 0, s.seed);
  return start;
}

Table energies(PicHistory const& history) {
  Table table{{"step", "time", "kinetic", "field", "external", "energy", "charge", "px", "py", "pz"}, {}};
  for (auto const& [step, t] : history.rows)
    table.values.insert(table.values.end(), {static_cast<double>(step), t.time, t.kinetic, t.field, t.external,
                                             t.energy(), t.charge, t.momentum[0], t.momentum[1], t.momentum[2]});
  return table;
}

/// Largest |charge on the grid / charge of the particles - 1|.
double charge_error(PicHistory const& h) {
  double worst = 0;
  for (auto const& row : h.rows) worst = std::max(worst, std::abs(row.totals.charge / h.charge - 1));
  return worst;
}

double particle_steps_per_second(PicHistory const& h, std::size_t particles) {
  return static_cast<double>(h.last_step - h.first_step) * static_cast<double>(particles) / h.all.seconds;
}

nlohmann::ordered_json energy_json(PicTotals const& t) {
  return {{"time", t.time},         {"kinetic", t.kinetic}, {"field", t.field},
          {"external", t.external}, {"total", t.energy()},  {"charge", t.charge}};
}

nlohmann::ordered_json report_json(PicSettings const& s, PicStart const& start, PicHistory const& h,
                                   Runtime const& runtime) {
  auto const& o = start.options;
  nlohmann::ordered_json report;
  report["solver"] = "pic";
  report["version"] = NEARFAR_VERSION;
  if (s.known.empty()) report["resumed"] = s.files.sources;
  else report["case"] = s.known;
  report["method"] = name(o.method);
  report["grid"] = o.grid;
  report["box"] = o.box;
  report["precision"] = name_of(start.precision);
  report["counts"] = {{"particles", start.charges.size()}};
  report["parameters"] = {{"time_step", o.time_step}, {"first_step", h.first_step}, {"last_step", h.last_step}};
  add_solve(report, h.all, runtime.workers(), runtime.scheduler());
  report["particle_steps_per_second"] = particle_steps_per_second(h, start.charges.size());
  report["first"] = energy_json(h.rows.front().totals);
  report["last"] = energy_json(h.rows.back().totals);
  report["charge_error"] = charge_error(h);
  return report;
}

void print_summary(PicSettings const& s, PicStart const& start, PicHistory const& h, std::size_t workers,
                   std::string const& scheduler) {
  auto const& o = start.options;
  auto const &first = h.rows.front().totals, &last = h.rows.back().totals;
  std::fprintf(stderr, "nearfar pic: %s, %zu particles, grid %d x %d x %d, %s, %s precision\n",
               s.known.empty() ? s.files.sources.c_str() : s.known.c_str(), start.charges.size(), o.grid[0], o.grid[1],
               o.grid[2], std::string(name(o.method)).c_str(), name_of(start.precision));
  std::fprintf(stderr, "  steps        %lld to %lld, time %.4g to %.4g\n", static_cast<long long>(h.first_step),
               static_cast<long long>(h.last_step), first.time, last.time);
  std::fprintf(stderr,
               "  energy       %.10g to %.10g: kinetic %.4g to %.4g, field %.4g to %.4g, external %.4g to %.4g\n",
               first.energy(), last.energy(), first.kinetic, last.kinetic, first.field, last.field, first.external,
               last.external);
  std::fprintf(stderr, "  charge       %.10g, on the grid to %.2g of it\n", h.charge, charge_error(h));
  std::fprintf(stderr, "  time         %.3g s, %s particle steps/s, %s (%s), idle %.0f %%\n", h.all.seconds,
               engineering(particle_steps_per_second(h, start.charges.size())).c_str(),
               counted(workers, "worker").c_str(), scheduler.c_str(), 100 * h.all.idle_fraction);
  print_end(h.all, s.files);
}

PicHistory run_loop(Runtime const& runtime, PicSettings const& s, PicStart& start, OutputFiles& outputs,
                    Progress& progress) {
  PicStart begin{start.options, start.precision, start.step, std::move(start.positions), std::move(start.velocities),
                 start.charges};
  if (start.precision == Precision::double_)
    return PicLoop<double>(runtime, s, std::move(begin), outputs, progress).run();
  return PicLoop<float>(runtime, s, std::move(begin), outputs, progress).run();
}

void check_steps(PicSettings const& s, PicStart const& start) {
  for (auto const at : s.at)
    if (at < start.step || at > start.step + s.steps)
      throw Error{Fault::bad_input, "--at names step " + std::to_string(at) + ", and this run goes from step " +
                                        std::to_string(start.step) + " to " + std::to_string(start.step + s.steps) +
                                        "; name steps of this run"};
}

/// Reads the initial state. With several ranks this is done once the runtime is up, so that they can tell each other
/// what is wrong. Rank 0 goes first to find out whether the file can be read.
PicStart read_start(PicSettings const& s, Runtime const* runtime) {
  PicStart start;
  bool const first = runtime == nullptr || runtime->rank() == 0;
  auto const read = [&] {
    start = start_of(s, first);
    check_steps(s, start);
  };
  if (runtime == nullptr) {
    read();
    return start;
  }
  on_first(*runtime, read);
  std::exception_ptr error;
  try {
    if (!first) read();
  } catch (...) {
    error = std::current_exception();
  }
  runtime->agree(error);
  return start;
}

void write(PicSettings const& s, PicStart const& start, PicHistory const& history, Runtime const& runtime,
           OutputFiles& outputs, Progress& progress) {
  if (!s.files.output.empty()) write_table(outputs, s.files.output, energies(history));
  write_report(outputs, s.files.report, report_json(s, start, history, runtime), progress);
}

}  // namespace

int run_pic(PicSettings& s) {
  Progress progress{s.files.quiet || launch().rank > 0};
  progress.step(s.known.empty() ? "reading" : "placing particles");
  bool const several = launch().ranks > 1;
  PicStart start;
  if (!several) start = read_start(s, nullptr);
  progress.step("starting StarPU");
  TraceFolder const trace{s.files.runtime.trace};
  OutputFiles outputs;
  std::optional<Runtime> runtime{s.files.runtime};
  if (several) start = read_start(s, &*runtime);
  progress.step("first step");
  auto const history = run_loop(*runtime, s, start, outputs, progress);
  progress.end();
  on_first(*runtime, [&] { write(s, start, history, *runtime, outputs, progress); });
  auto const workers = runtime->workers().size();
  auto const scheduler = runtime->scheduler();
  bool const first = runtime->rank() == 0;
  runtime.reset();  // collective: all ranks write the trace
  if (!first) return 0;
  trace.expect_new_trace();
  outputs.commit();
  if (!s.files.quiet) print_summary(s, start, history, workers, scheduler);
  return 0;
}

}  // namespace nearfar::cli
