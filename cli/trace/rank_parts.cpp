// SPDX-License-Identifier: BSD-3-Clause
#include "cli/trace/rank_parts.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <numeric>
#include <tuple>

namespace nearfar::cli {

namespace {

class Merger {
 public:
  explicit Merger(std::vector<RankPart> const& parts) : parts_(parts) {
    zero_ = std::ranges::min(parts, {}, &RankPart::zero).zero;
  }

  Trace merge() {
    Trace const& first = parts_.front().trace;
    all_.runtime = first.runtime;
    all_.scheduler = first.scheduler;
    all_.ranks = int(parts_.size());
    for (auto const& part : parts_) add_part(part);
    for (auto const& part : parts_) add_arrivals(part);
    sort_tasks();
    std::ranges::stable_sort(all_.solves, {}, &Trace::Solve::submitted);
    return std::move(all_);
  }

 private:
  /// How the numbering of one rank translates to that of the merged trace.
  struct Numbers {
    std::size_t first_worker = 0, first_task = 0;
    std::vector<std::size_t> stages;
    std::map<int, int> solves;
  };

  void add_part(RankPart const& part) {
    auto& numbers = numbers_.emplace_back();
    double const shift = part.zero - zero_;
    auto const prefix = std::to_string(part.rank) + ": ";
    numbers.first_worker = all_.workers.size();
    numbers.first_task = all_.tasks.size();
    for (auto const& worker : part.trace.workers)
      all_.workers.push_back({prefix + worker.name, worker.kind, part.rank});
    for (auto const& stage : part.trace.stages) numbers.stages.push_back(stage_number(stage));
    for (auto const& t : part.trace.transfers)
      all_.transfers.push_back({prefix + t.from, prefix + t.to, t.count, t.bytes});
    add_solves(part, numbers, shift);
    for (auto task : part.trace.tasks) {
      task.stage = numbers.stages[task.stage];
      task.worker += numbers.first_worker;
      task.solve = numbers.solves[task.solve];
      for (double* time : {&task.start, &task.end, &task.submitted, &task.ready}) *time += shift;
      for (auto& earlier : task.after) earlier += numbers.first_task;
      all_.tasks.push_back(std::move(task));
    }
    for (auto const& wait : part.trace.waits)
      all_.waits.push_back({wait.task + numbers.first_task, wait.start + shift, wait.end + shift});
    if (part.rank == 0)  // all ranks set the same ones
      for (auto const& mark : part.trace.marks) all_.marks.push_back({mark.time + shift, mark.text});
    for (auto const& p : part.passages)
      if (p.sent)
        departures_[{numbers.solves[p.solve], part.rank, p.peer}].push_back(
            {p.start + shift, p.writer < 0 ? -1 : p.writer + std::int64_t(numbers.first_task)});
  }

  std::size_t stage_number(Trace::Stage const& stage) {
    auto const same = std::ranges::find(all_.stages, stage.name, &Trace::Stage::name);
    auto const number = std::size_t(same - all_.stages.begin());
    if (same == all_.stages.end()) all_.stages.push_back(stage);
    return number;
  }

  /// Merges a joint solve of all ranks: it lasts from the first rank's submission to the last rank's end.
  void add_solves(RankPart const& part, Numbers& numbers, double shift) {
    std::size_t nth = 0;
    for (std::size_t i = 0; i < part.trace.solves.size(); ++i) {
      auto solve = part.trace.solves[i];
      solve.submitted += shift;
      solve.end += shift;
      int& number = numbers.solves[solve.number];
      if (part.together[i] && nth < together_.size() && part.rank > 0) {
        auto& one = all_.solves[together_[nth++]];
        number = one.number;
        double const closed = std::max(one.submitted + one.submission, solve.submitted + solve.submission);
        one.submitted = std::min(one.submitted, solve.submitted);
        one.submission = closed - one.submitted;
        one.end = std::max(one.end, solve.end);
        continue;
      }
      if (part.together[i]) together_.push_back(all_.solves.size()), ++nth;
      if (part.rank > 0) solve.number = last_solve_ + 1;
      last_solve_ = std::max(last_solve_, solve.number);
      number = solve.number;
      all_.solves.push_back(solve);
    }
  }

  void add_arrivals(RankPart const& part) {
    auto& numbers = numbers_[std::size_t(part.rank)];
    double const shift = part.zero - zero_;
    for (auto const& p : part.passages) {
      if (p.sent) continue;
      int const solve = numbers.solves[p.solve];
      auto& sent = departures_[{solve, p.peer, part.rank}];
      if (sent.empty()) continue;  // its sender had no memory to trace that solve, and has warned of it
      auto const departure = sent.front();
      sent.pop_front();
      double const end = p.end + shift;
      all_.messages.push_back({p.peer, part.rank, solve, std::min(departure.time, end), end, p.bytes});
      if (departure.writer < 0) continue;
      for (auto const reader : p.readers)
        all_.tasks[reader + numbers.first_task].after.push_back(std::size_t(departure.writer));
    }
  }

  /// Also drops dependencies that contradict the clocks, which may differ by a few microseconds.
  void sort_tasks() {
    std::vector<std::size_t> order(all_.tasks.size()), place(all_.tasks.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return all_.tasks[i].start; });
    for (std::size_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    std::vector<Trace::Task> tasks;
    for (std::size_t i = 0; i < order.size(); ++i) {
      auto& task = tasks.emplace_back(std::move(all_.tasks[order[i]]));
      for (auto& earlier : task.after) earlier = place[earlier];
      std::erase_if(task.after, [i](std::size_t earlier) { return earlier >= i; });
      std::ranges::sort(task.after);
      task.after.erase(std::unique(task.after.begin(), task.after.end()), task.after.end());
    }
    all_.tasks = std::move(tasks);
    for (auto& wait : all_.waits) wait.task = place[wait.task];
  }

  struct Departure {
    double time = 0;
    std::int64_t writer = -1;
  };

  std::vector<RankPart> const& parts_;
  double zero_ = 0;
  Trace all_;
  std::vector<Numbers> numbers_;
  std::vector<std::size_t> together_;  ///< indices of the joint solves of all ranks
  int last_solve_ = 0;
  std::map<std::tuple<int, int, int>, std::deque<Departure>> departures_;  ///< by solve, sender and receiver
};

}  // namespace

Trace merged(std::vector<RankPart> parts) {
  if (parts.size() == 1) return std::move(parts.front().trace);
  return Merger(parts).merge();
}

}  // namespace nearfar::cli
