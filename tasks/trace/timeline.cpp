// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/trace/timeline.hpp"

#include "tasks/engine/dag.hpp"

#include <algorithm>
#include <map>

namespace nearfar::detail {

namespace {

/// The tasks of each worker, in the order in which they start.
std::map<int, std::vector<int>> by_worker(std::deque<TaskRecord> const& tasks) {
  std::map<int, std::vector<int>> workers;
  for (int i = 0; i < int(tasks.size()); ++i) workers[tasks[std::size_t(i)].worker].push_back(i);
  for (auto& [worker, list] : workers)
    std::ranges::stable_sort(list, {}, [&](int i) { return tasks[std::size_t(i)].start; });
  return workers;
}

/// Makes a worker's tasks sequential: a GPU worker may start a task while an earlier one still runs.
void make_sequential(std::deque<TaskRecord>& tasks, std::vector<int> const& of_worker) {
  double free = 0;
  for (int i : of_worker) {
    auto& task = tasks[std::size_t(i)];
    task.start = std::max(task.start, free);
    task.end = std::max(task.end, task.start);
    free = task.end;
  }
}

/// Waits: the times of fetches during which the worker neither ran a task nor waited for an earlier fetch.
void add_waits(Timeline& timeline, std::vector<int> const& of_worker) {
  auto const& tasks = timeline.tasks;
  auto by_fetch = of_worker;
  std::ranges::stable_sort(by_fetch, {}, [&](int i) { return tasks[std::size_t(i)].fetch_begins; });
  double counted = 0;
  std::size_t next = 0;
  for (int i : by_fetch) {
    auto const& task = tasks[std::size_t(i)];
    double begin = std::max(task.fetch_begins, counted);
    while (next < of_worker.size() && tasks[std::size_t(of_worker[next])].end <= begin) ++next;
    for (std::size_t k = next; begin < task.fetch_ends; ++k) {
      bool const runs = k < of_worker.size() && tasks[std::size_t(of_worker[k])].start < task.fetch_ends;
      double const end = runs ? tasks[std::size_t(of_worker[k])].start : task.fetch_ends;
      if (end > begin) timeline.waits.push_back({i, begin, end});
      begin = runs ? tasks[std::size_t(of_worker[k])].end : task.fetch_ends;
    }
    counted = std::max(counted, begin);
  }
}

/// `first`: where the solve's tasks begin in the timeline.
void add_passages(Timeline& timeline, TracedSolve const& solve, int first) {
  std::map<Handle, int> writer;           // of data that this rank has
  std::map<Handle, std::size_t> arrived;  // passage of data that came from elsewhere
  auto next = solve.messages.begin();
  for (int i = 0; i <= int(solve.tasks.size()); ++i) {
    for (; next != solve.messages.end() && (next->task <= i || i == int(solve.tasks.size())); ++next) {
      timeline.passages.push_back({*next, solve.number, -1, {}});
      if (!next->sent) arrived[next->data] = timeline.passages.size() - 1;
      else if (auto const made = writer.find(next->data); made != writer.end())
        timeline.passages.back().writer = made->second;
    }
    if (i == int(solve.tasks.size())) break;
    for (auto const& [handle, mode] : solve.tasks[std::size_t(i)].accesses) {
      if (mode == STARPU_SCRATCH) continue;
      if (auto const came = arrived.find(handle); came != arrived.end() && (mode & STARPU_R) != 0)
        timeline.passages[came->second].readers.push_back(first + i);
      if ((mode & STARPU_W) == 0) continue;
      writer[handle] = first + i;
      arrived.erase(handle);
    }
  }
}

}  // namespace

Timeline timeline_of(std::vector<TracedSolve> const& solves) {
  Timeline timeline;
  for (auto const& solve : solves) {
    timeline.zero = timeline.tasks.empty() ? solve.submitted : std::min(timeline.zero, solve.submitted);
    add_passages(timeline, solve, int(timeline.tasks.size()));
    timeline.tasks.insert(timeline.tasks.end(), solve.tasks.begin(), solve.tasks.end());
    timeline.solve.resize(timeline.tasks.size(), solve.number);
  }
  timeline.after.resize(timeline.tasks.size());
  for (auto const& [from, to] : dependencies(timeline.tasks)) {
    auto const a = std::size_t(from), b = std::size_t(to);
    if (timeline.solve[a] == timeline.solve[b] || timeline.tasks[a].end > timeline.tasks[b].submitted)
      timeline.after[b].push_back(from);
  }
  for (auto const& [worker, list] : by_worker(timeline.tasks)) {
    make_sequential(timeline.tasks, list);
    add_waits(timeline, list);
  }
  return timeline;
}

}  // namespace nearfar::detail
