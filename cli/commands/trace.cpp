// SPDX-License-Identifier: BSD-3-Clause
#include "cli/commands/command.hpp"
#include "cli/io/output_files.hpp"
#include "cli/io/output_path.hpp"
#include "cli/standard_output.hpp"
#include "cli/text.hpp"
#include "cli/trace/gantt.hpp"
#include "cli/trace/overlap.hpp"
#include "cli/trace/trace_summary.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

namespace nearfar::cli {

namespace {

namespace fs = std::filesystem;

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

void print_stages(Trace const& trace, TraceSummary const& summary) {
  std::set<std::string> kinds;
  for (auto const& worker : trace.workers) kinds.insert(worker.kind);
  std::vector<std::size_t> order(trace.stages.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, std::greater{}, [&](std::size_t i) { return summary.stages[i].busy; });
  double total = 0;
  for (auto const& stage : summary.stages) total += stage.busy;

  print("\n%-16s %7s %10s %8s %10s %10s %10s %13s", "stage", "tasks", "busy s", "share", "mean ms", "longest ms",
        "waiting s", "critical path");
  if (kinds.size() > 1)
    for (auto const& kind : kinds) print(" %8s s", kind.c_str());
  print("\n");
  for (auto const i : order) {
    auto const& share = summary.stages[i];
    print("%-16s %7zu %10.4g %6.1f %% %10.3g %10.3g %10.3g %11.0f %%", trace.stages[i].name.c_str(), share.tasks,
          share.busy, percent(share.busy, total), 1e3 * share.busy / static_cast<double>(share.tasks),
          1e3 * share.longest, share.waiting, percent(share.critical, summary.critical_path));
    if (kinds.size() > 1)
      for (auto const& kind : kinds) {
        auto const busy = share.busy_by_kind.find(kind);
        print(" %10.4g", busy != share.busy_by_kind.end() ? busy->second : 0.0);
      }
    print("\n");
  }
}

void print_workers(Trace const& trace, TraceSummary const& summary) {
  print("\n%-16s %7s %10s %8s %10s %10s %8s %15s\n", "worker", "tasks", "busy s", "busy", "waiting s", "idle s", "idle",
        "critical path s");
  for (std::size_t i = 0; i < trace.workers.size(); ++i) {
    auto const& share = summary.workers[i];
    print("%-16.16s %7zu %10.4g %6.1f %% %10.3g %10.4g %6.1f %% %15.4g\n", trace.workers[i].name.c_str(), share.tasks,
          share.busy, percent(share.busy, summary.seconds), share.waiting, summary.idle(i),
          percent(summary.idle(i), summary.seconds), share.critical);
  }
}

void print_solves(Trace const& trace, TraceSummary const& summary) {
  constexpr std::size_t most = 20;
  print("\n%-16s %7s %10s %10s %13s %10s %15s\n", "solve", "tasks", "from s", "seconds", "submission s", "busy s",
        "critical path s");
  for (std::size_t i = 0; i < trace.solves.size(); ++i) {
    if (i == most && trace.solves.size() > most + 1) {
      print("... and %zu more\n", trace.solves.size() - most);
      break;
    }
    auto const& solve = trace.solves[i];
    auto const& sum = summary.solves[i];
    print("%-16d %7zu %10.4g %10.4g %13.3g %10.4g %15.4g\n", solve.number, sum.tasks, solve.submitted,
          solve.end - solve.submitted, solve.submission, sum.busy, sum.critical);
  }
}

void print_transfers(Trace const& trace) {
  if (trace.transfers.empty()) return;
  print("\n%-34s %9s %12s\n", "transfers", "number", "amount");
  for (auto const& t : trace.transfers)
    print("%-34.34s %9.0f %12s\n", (t.from + " -> " + t.to).c_str(), t.count, bytes_text(t.bytes).c_str());
}

void print_bounds(Trace const& trace, TraceSummary const& summary) {
  print("\ntime             %.4g s with a solve in flight", summary.seconds);
  if (summary.between > 0) print(", and %.4g s between solves", summary.between);
  print("\n");
  if (summary.far > 0)
    print("overlap          far-field tasks ran during %.4g s, with near-field tasks beside them for %.0f %%\n",
          summary.far, percent(summary.overlap, summary.far));
  if (trace.ranks > 1) {
    auto const overlap = overlap_of(trace);
    print("messages         %s, %s; %.4g s of ranks with one under way, with near-field tasks beside it for %.0f %%\n",
          counted(trace.messages.size(), "message").c_str(), bytes_text(sent_bytes(trace)).c_str(),
          overlap.messages.seconds, 100 * overlap.messages.share());
  }
  print("critical path    %.4g s in %s\n", summary.critical_path, counted(summary.critical.size(), "task").c_str());
  print("lower bound      %.4g s: %s, from the times of this run\n", summary.bound(),
        summary.critical_path > summary.work_bound ? "the critical path" : "all work spread over the workers");
  print("                 the run is at %.0f %% of the bound\n", percent(summary.bound(), summary.seconds));
  if (trace.starpu_bound > 0)
    print(
        "StarPU's bound   %.4g s by its own models (starpu_bound; dependencies and transfers aside)\n"
        "                 the run is at %.0f %% of that bound\n",
        trace.starpu_bound, percent(trace.starpu_bound, summary.seconds));
  else if (trace.ranks == 1)
    print("StarPU's bound   none: it has no calibrated model of every task yet (docs/tracing.md)\n");
}

void write_pictures(fs::path const& folder, Trace const& trace, TraceSummary const& summary) {
  auto const write = [&](char const* name, std::string const& contents) {
    auto const path = (folder / name).string();
    write_whole(path, [&](std::string const& beside) {
      std::ofstream file{beside};
      file << contents << std::flush;
      if (!file) throw write_failed(path);
    });
  };
  write("gantt.svg", gantt_svg(trace, summary));
  write("gantt.html", gantt_html(trace, summary));
}

void print_files(fs::path const& folder) {
  constexpr std::array<std::pair<char const*, char const*>, 6> files{
      {{"gantt.html", "tasks over time, with zoom; open it in a browser"},
       {"gantt.svg", "the same as a picture"},
       {"trace.json", "the same for ui.perfetto.dev or chrome://tracing; of several ranks the first"},
       {"dag.dot", "the graph of tasks, for Graphviz"},
       {"paje.trace", "StarPU's own trace, for ViTE"},
       {"trace.html", "StarPU's own page"}}};
  print("\n");
  for (auto const& [file, purpose] : files)
    if (fs::exists(folder / file)) print("%s: %s\n", (folder / file).c_str(), purpose);
  if (!fs::exists(folder / "paje.trace"))
    print("(no paje.trace: that needs a StarPU with FxT, which scripts/setup builds)\n");
}

int run(std::string const& folder) {
  auto const trace = read_trace(folder);
  auto const summary = summarise(trace);
  print("%s\n%s\n", gantt_caption(trace, summary).c_str(), trace.runtime.c_str());
  print_stages(trace, summary);
  print_workers(trace, summary);
  print_solves(trace, summary);
  print_transfers(trace);
  print_bounds(trace, summary);
  write_pictures(folder, trace, summary);
  print_files(folder);
  return 0;
}

}  // namespace

Command trace_command() {
  auto folder = std::make_shared<std::string>();
  return {
      "trace",
      "Tables and charts of a trace",
      "Prints, per stage and worker, the times busy, waiting for data and idle; the critical path; the overlap of far\n"
      "and near field; and how close the run was to the best possible. Writes gantt.svg and gantt.html into DIR.",
      "nearfar trace trace.d     (after: nearfar ewald ... --trace trace.d)",
      {{"DIR", "", "Folder written by --trace", [folder](std::string const& text) { *folder = text; }, "Arguments",
        true}},
      [folder] { return run(*folder); }};
}

}  // namespace nearfar::cli
