// SPDX-License-Identifier: BSD-3-Clause
#include "cli/trace/overlap.hpp"

#include <algorithm>
#include <array>
#include <limits>

namespace nearfar::cli {

namespace {

enum What : std::size_t { near, transform, message };

struct Step {
  double time;
  What what;
  int change;
};

bool transforms(std::string const& stage) { return stage == "fft" || stage == "scale" || stage == "ifft"; }

/// Adds the overlap of one rank by walking over all starts and ends in order of time.
void add(Overlap& overlap, std::vector<Step> steps) {
  std::ranges::sort(steps, {}, &Step::time);
  std::array<int, 3> running{};
  double before = 0;
  for (auto const& step : steps) {
    double const length = step.time - before;
    auto const count = [&](Covered& time, bool is) {
      if (!is) return;
      time.seconds += length;
      if (running[near] > 0) time.covered += length;
    };
    count(overlap.transforms, running[transform] > 0);
    count(overlap.messages, running[message] > 0);
    count(overlap.either, running[transform] + running[message] > 0);
    before = step.time;
    running[step.what] += step.change;
  }
}

double idle_seconds(Trace const& trace, std::optional<int> solve) {
  double first = std::numeric_limits<double>::infinity(), last = -first, busy = 0;
  for (auto const& task : trace.tasks) {
    if (solve && task.solve != *solve) continue;
    first = std::min(first, task.start);
    last = std::max(last, task.end);
    busy += task.end - task.start;
  }
  return last > first ? std::max(0.0, last - first - busy / double(trace.workers.size())) : 0;
}

}  // namespace

Overlap overlap_of(Trace const& trace, std::optional<int> solve) {
  std::vector<std::vector<Step>> ranks(std::size_t(trace.ranks));
  auto const put = [&](int rank, What what, double start, double end) {
    ranks[std::size_t(rank)].push_back({start, what, 1});
    ranks[std::size_t(rank)].push_back({end, what, -1});
  };
  for (auto const& task : trace.tasks) {
    if (solve && task.solve != *solve) continue;
    auto const& stage = trace.stages[task.stage];
    int const rank = trace.workers[task.worker].rank;
    if (stage.branch == "near") put(rank, near, task.start, task.end);
    else if (transforms(stage.name)) put(rank, transform, task.start, task.end);
  }
  for (auto const& m : trace.messages)
    if (!solve || m.solve == *solve)
      for (int const rank : {m.from, m.to}) put(rank, message, m.start, m.end);
  Overlap overlap;
  for (auto& steps : ranks) add(overlap, std::move(steps));
  overlap.idle = idle_seconds(trace, solve);
  return overlap;
}

double sent_bytes(Trace const& trace) {
  double sum = 0;
  for (auto const& m : trace.messages) sum += m.bytes;
  return sum;
}

}  // namespace nearfar::cli
