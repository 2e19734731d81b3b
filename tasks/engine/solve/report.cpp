// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/stages.hpp"
#include "schedulers/profiles.hpp"
#include "tasks/engine/chain/chain.hpp"
#include "tasks/engine/dag.hpp"
#include "tasks/engine/solve/solve_state.hpp"

#include <nearfar/implementation.hpp>

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

// Measured, in microseconds: submitting a task took 6 to 10 while no worker ran; after that, 16 workers had their first
// task after 100 to 200.
constexpr double task_submission = 8, worker_start = 10;

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

/// Microseconds of the longest chain of dependent tasks. Tasks are listed after those they depend on.
double longest_chain(std::deque<TaskRecord> const& tasks) {
  std::vector<double> start(tasks.size()), end(tasks.size());
  auto const edges = dependencies(tasks);  // by their second task, in order
  auto edge = edges.begin();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    for (; edge != edges.end() && edge->second == int(i); ++edge)
      start[i] = std::max(start[i], end[std::size_t(edge->first)]);
    end[i] = start[i] + tasks[i].end - tasks[i].start;
  }
  return end.empty() ? 0 : *std::max_element(end.begin(), end.end());
}

}  // namespace

SolveReport SolveState::report() const {
  SolveReport r;
  r.seconds = (end_ - begun_) * 1e-6;
  r.submit_seconds = (closed_submission_ - begun_) * 1e-6;
  r.tasks = int(tasks_.size());
  r.workers = int(starpu_worker_get_count());
  if (ranks_ != nullptr) r.ranks = ranks_->count();
  r.sent_bytes = sent_bytes_;
  r.direct_bytes = direct_bytes_;
  std::vector<Interval> near, far;
  double busy = 0, first = end_, last = submitted_;
  bool const asks = uses_models(runtime_->scheduler());
  for (auto const& task : tasks_) {
    auto stage = std::find_if(r.stages.begin(), r.stages.end(), [&](auto& s) { return s.stage == task.stage; });
    if (stage == r.stages.end()) stage = r.stages.insert(stage, StageTime{.stage = task.stage});
    ++stage->tasks;
    stage->seconds += (task.end - task.start) * 1e-6;
    stage->flops += task.flops;
    stage->expected_seconds += task.expected * 1e-6;
    if (asks && !(task.expected > 0) &&
        std::find(r.uncalibrated.begin(), r.uncalibrated.end(), task.stage) == r.uncalibrated.end())
      r.uncalibrated.push_back(task.stage);
    busy += task.end - task.start;
    first = std::min(first, task.start);
    last = std::max(last, task.end);
    auto const* row = find_stage(task.stage);
    if (row == nullptr) continue;
    if (row->branch == Branch::near) near.emplace_back(task.start, task.end);
    if (row->branch == Branch::far) far.emplace_back(task.start, task.end);
  }
  if (last > first && r.workers > 0) r.idle_fraction = std::max(0.0, 1 - busy / ((last - first) * r.workers));
  r.critical_seconds = longest_chain(tasks_) * 1e-6;
  r.bound_seconds = std::max(r.critical_seconds, r.workers > 0 ? busy * 1e-6 / r.workers : 0);
  bool const chained = std::ranges::any_of(tasks_, [](TaskRecord const& task) { return task.chain != nullptr; });
  if (predicted_ > 0) r.predicted_seconds = predicted_;
  if (predicted_ > 0 && !chained)
    r.predicted_seconds += 1e-6 * (std::min(head_start, task_submission * r.tasks) + worker_start * r.workers);
  near = merged(std::move(near));
  far = merged(std::move(far));
  if (length(far) > 0) r.overlap_fraction = common_length(near, far) / length(far);
  r.sampled_error = found_.of_result;
  if (has_energy_) r.energy = energy_[0];
  if (has_energy_ && found_.of_energy > 0 && std::isfinite(energy_[0]))
    r.energy_error = std::min(1.0, found_.of_energy / std::abs(energy_[0]));
  if (has_virial_) {
    r.virial.emplace();
    std::copy_n(energy_.begin() + 1, 6, r.virial->begin());
    if (found_.of_virial > 0) {
      double largest = 0;
      for (double const number : *r.virial) largest = std::max(largest, std::abs(number));
      if (std::isfinite(largest)) r.virial_error = std::min(1.0, found_.of_virial / largest);
    }
  }
  if (again_) {
    SolveReport const last = again_->report();
    r.repeats = last.repeats + 1;
    r.energy = last.energy;
    r.energy_error = last.energy_error;
    r.virial = last.virial;
    r.virial_error = last.virial_error;
  }
  return r;
}

}  // namespace nearfar::detail

namespace nearfar {

namespace {

char const* kind_of(int worker) {
  switch (starpu_worker_get_type(worker)) {
    case STARPU_CPU_WORKER: return "cpu";
    case STARPU_CUDA_WORKER: return "cuda";
    default: return "hip";
  }
}

}  // namespace

std::vector<ImplementationUse> implementations_used(Solve& solve) {
  try {
    solve.wait();
  } catch (...) {  // wait() reports it; what ran before the error is still of interest
  }
  std::vector<ImplementationUse> uses;
  if (!solve.state()) return uses;
  for (auto const& task : solve.state()->tasks()) {
    if (task.worker < 0) continue;
    std::string const kind = kind_of(task.worker);
    auto const how =
        task.chain ? task.chain->how() : task.variants->variant_name(task.wanted, task.implementation, kind == "cpu");
    auto use = std::find_if(uses.begin(), uses.end(), [&](auto const& u) {
      return u.stage == task.stage && u.worker == kind && u.implementation == how;
    });
    if (use == uses.end()) use = uses.insert(use, {task.stage, kind, std::string(how)});
    ++use->tasks;
  }
  return uses;
}

}  // namespace nearfar
