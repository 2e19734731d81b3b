// SPDX-License-Identifier: BSD-3-Clause
#include "cli/command.hpp"
#include "cli/trace_records.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <utility>

namespace nearfar::cli {

namespace {

namespace fs = std::filesystem;

bool holds_raw_trace(fs::path const& folder) {
  return std::ranges::any_of(fs::directory_iterator(folder), [](fs::directory_entry const& entry) {
    return entry.path().filename().string().starts_with("prof_file_");
  });
}

fs::path records_in(std::string const& folder) {
  auto const path = fs::path(folder) / "tasks.rec";
  if (!fs::is_directory(folder))
    throw Error{Fault::bad_input, folder + ": there is no such folder; give the one named with --trace when solving"};
  if (fs::exists(path)) return path;
  if (holds_raw_trace(folder))
    throw Error{Fault::bad_input, folder +
                                      ": there is a trace, but no tasks.rec, so it was not converted; run "
                                      "'starpu_fxt_tool -i prof_file_*' in that folder"};
  throw Error{Fault::bad_input, folder +
                                    ": there is no trace in it (neither tasks.rec nor prof_file_*); "
                                    "record one with 'nearfar ewald ... --trace " +
                                    folder + "'"};
}

void print_stages(TraceSummary const& summary) {
  std::vector<std::pair<std::string, TraceSummary::Share>> stages(summary.stages.begin(), summary.stages.end());
  std::ranges::sort(stages, std::greater{}, [](auto const& stage) { return stage.second.seconds; });
  double total = 0;
  for (auto const& [name, share] : stages) total += share.seconds;
  std::printf("%-16s %8s %12s %10s %10s %8s\n", "stage", "tasks", "seconds", "mean ms", "longest", "share");
  for (auto const& [name, share] : stages)
    std::printf("%-16s %8zu %12.4g %10.3g %10.3g %6.1f %%\n", name.c_str(), share.tasks, share.seconds,
                1e3 * share.seconds / static_cast<double>(share.tasks), 1e3 * share.longest,
                total > 0 ? 100 * share.seconds / total : 0);
}

void print_workers(TraceSummary const& summary) {
  std::printf("\n%-16s %8s %12s %12s %8s\n", "worker", "tasks", "busy s", "idle s", "idle");
  for (auto const& [worker, share] : summary.workers) {
    double const idle = std::max(0.0, summary.seconds - share.seconds);
    std::printf("%-16d %8zu %12.4g %12.4g %6.1f %%\n", worker, share.tasks, share.seconds, idle,
                summary.seconds > 0 ? 100 * idle / summary.seconds : 0);
  }
  std::printf("\n%.4g s from the first task to the last", summary.seconds);
  if (summary.far_seconds > 0)
    std::printf("; far-field tasks ran during %.4g s of it, with p2p tasks beside them for %.0f %%",
                summary.far_seconds, 100 * summary.overlap_fraction);
  std::printf("\n");
}

void print_pictures(fs::path const& folder) {
  constexpr std::array<std::pair<char const*, char const*>, 3> pictures{
      {{"trace.html", "tasks over time; open it in a browser"},
       {"paje.trace", "the same for ViTE"},
       {"dag.dot", "the graph of tasks, for Graphviz"}}};
  for (auto const& [file, purpose] : pictures)
    if (fs::exists(folder / file)) std::printf("%s: %s\n", (folder / file).c_str(), purpose);
}

int run(std::string const& folder) {
  auto const summary = summarise(read_task_records(records_in(folder).string()));
  print_stages(summary);
  print_workers(summary);
  print_pictures(folder);
  return 0;
}

}  // namespace

Command trace_command() {
  auto folder = std::make_shared<std::string>();
  return {"trace",
          "Tables and pictures from a trace",
          "Stages by time, workers by idleness, and how much of the far field ran beside near-field tasks.",
          "nearfar trace trace.d     (after: nearfar ewald ... --trace trace.d)",
          {{"DIR", "", "The folder that --trace has filled", [folder](std::string const& text) { *folder = text; },
            "Arguments", true}},
          [folder] { return run(*folder); }};
}

}  // namespace nearfar::cli
