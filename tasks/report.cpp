// SPDX-License-Identifier: BSD-3-Clause
#include "core/stages.hpp"
#include "tasks/solve_state.hpp"

#include <algorithm>

namespace nearfar::detail {

namespace {

using Interval = std::pair<double, double>;

/// Sorted intervals that cover the same time without overlap.
std::vector<Interval> merged(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end());
  std::vector<Interval> result;
  for (auto const& i : intervals) {
    if (!result.empty() && i.first <= result.back().second)
      result.back().second = std::max(result.back().second, i.second);
    else result.push_back(i);
  }
  return result;
}

double length(std::vector<Interval> const& intervals) {
  double sum = 0;
  for (auto const& i : intervals) sum += i.second - i.first;
  return sum;
}

double common_length(std::vector<Interval> const& a, std::vector<Interval> const& b) {
  double sum = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    sum += std::max(0.0, std::min(a[i].second, b[j].second) - std::max(a[i].first, b[j].first));
    if (a[i].second < b[j].second) ++i;
    else ++j;
  }
  return sum;
}

}  // namespace

SolveReport SolveState::report() const {
  SolveReport r;
  r.seconds = (end_ - submitted_) * 1e-6;
  r.submit_seconds = (closed_submission_ - submitted_) * 1e-6;
  r.tasks = int(tasks_.size());
  r.workers = int(starpu_worker_get_count());
  std::vector<Interval> near, far;
  double busy = 0, first = end_, last = submitted_;
  for (auto const& task : tasks_) {
    auto stage = std::find_if(r.stages.begin(), r.stages.end(), [&](auto& s) { return s.stage == task.stage; });
    if (stage == r.stages.end()) stage = r.stages.insert(stage, StageTime{task.stage, 0, 0});
    ++stage->tasks;
    stage->seconds += (task.end - task.start) * 1e-6;
    busy += task.end - task.start;
    first = std::min(first, task.start);
    last = std::max(last, task.end);
    auto const* look = find_look(task.stage);
    if (look == nullptr) continue;
    if (look->branch == Branch::near) near.emplace_back(task.start, task.end);
    if (look->branch == Branch::far) far.emplace_back(task.start, task.end);
  }
  if (last > first && r.workers > 0) r.idle_fraction = std::max(0.0, 1 - busy / ((last - first) * r.workers));
  near = merged(std::move(near));
  far = merged(std::move(far));
  if (length(far) > 0) r.overlap_fraction = common_length(near, far) / length(far);
  return r;
}

}  // namespace nearfar::detail
