// SPDX-License-Identifier: BSD-3-Clause
#include "cli/trace_records.hpp"

#include "cli/lines.hpp"
#include "cli/number.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <array>
#include <string_view>

namespace nearfar::cli {

namespace {

constexpr std::array<std::string_view, 12> far_stages{"p2g", "fft", "scale", "ifft", "g2p",     "p2m",
                                                      "m2m", "m2l", "l2l",   "l2p",  "lattice", "transpose"};

bool is_far(std::string const& stage) { return std::ranges::find(far_stages, stage) != far_stages.end(); }

/// One block of "Key: value" lines while it is read.
struct Block {
  std::string name, model;
  double worker = -1, start = -1, end = -1;  // milliseconds

  void take(std::string_view line) {
    auto const colon = line.find(':');
    if (colon == line.npos) return;
    auto const key = line.substr(0, colon), value = trimmed(line.substr(colon + 1));
    if (key == "Name") name = value;
    if (key == "Model") model = value;
    // What is no number here never ran, so it keeps the -1 that says so.
    if (key == "WorkerId") parse_number(value, worker);
    if (key == "StartTime") parse_number(value, start);
    if (key == "EndTime") parse_number(value, end);
  }

  bool ran() const { return worker >= 0 && start >= 0 && end >= start; }

  TaskRecord record() const {
    auto const& title = name.empty() ? model : name;
    auto stage = title.substr(0, title.find_first_of(" [("));
    return {stage.empty() ? "unnamed" : stage, static_cast<int>(worker), start * 1e-3, end * 1e-3};
  }
};

/// How long near and far tasks ran at the same time: a walk over all starts and ends.
void measure_overlap(std::vector<TaskRecord> const& tasks, TraceSummary& summary) {
  struct Step {
    double time;
    int near, far;
  };
  std::vector<Step> steps;
  for (auto const& task : tasks) {
    int const near = task.stage == "p2p", far = is_far(task.stage);
    if (near + far == 0) continue;
    steps.push_back({task.start, near, far});
    steps.push_back({task.end, -near, -far});
  }
  std::ranges::sort(steps, {}, &Step::time);
  int near = 0, far = 0;
  double before = 0, both = 0;
  for (auto const& step : steps) {
    if (far > 0) summary.far_seconds += step.time - before;
    if (far > 0 && near > 0) both += step.time - before;
    before = step.time;
    near += step.near;
    far += step.far;
  }
  if (summary.far_seconds > 0) summary.overlap_fraction = both / summary.far_seconds;
}

}  // namespace

std::vector<TaskRecord> read_task_records(std::string const& path) {
  Lines lines{path};
  std::vector<TaskRecord> tasks;
  Block block;
  auto const finish = [&] {
    if (block.ran()) tasks.push_back(block.record());
    block = {};
  };
  for (std::string_view line; lines.next(line);) {
    if (trimmed(line).empty()) finish();
    else block.take(line);
  }
  finish();
  if (tasks.empty())
    throw Error{Fault::bad_input, path +
                                      ": no task in it has run, so there is nothing to show; "
                                      "trace a solve with --trace DIR"};
  return tasks;
}

TraceSummary summarise(std::vector<TaskRecord> const& tasks) {
  TraceSummary summary;
  double first = tasks.front().start, last = tasks.front().end;
  auto const add = [](TraceSummary::Share& share, TaskRecord const& task) {
    double const seconds = task.end - task.start;
    ++share.tasks;
    share.seconds += seconds;
    share.longest = std::max(share.longest, seconds);
  };
  for (auto const& task : tasks) {
    add(summary.stages[task.stage], task);
    add(summary.workers[task.worker], task);
    first = std::min(first, task.start);
    last = std::max(last, task.end);
  }
  summary.seconds = last - first;
  measure_overlap(tasks, summary);
  return summary;
}

}  // namespace nearfar::cli
