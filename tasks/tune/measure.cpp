// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/tune/measure.hpp"

#include "tasks/tune/problems.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <starpu.h>
#include <string_view>
#include <utility>
#include <vector>

namespace nearfar::detail {

namespace {

/// The row of a stage: several stages share some; the others have the row of their name.
std::optional<WorkRow> row_of(std::string_view stage) {
  using enum WorkRow;
  static std::map<std::string_view, WorkRow> const shared{{"bin", points},     {"reduce", points}, {"merge", points},
                                                          {"ifft", fft},       {"m2m", shift},     {"l2l", shift},
                                                          {"m2p", evaluation}, {"p2l", evaluation}};
  if (auto const found = shared.find(stage); found != shared.end()) return found->second;
  auto const found = std::ranges::find(row_names, stage);
  return found != row_names.end() ? std::optional(WorkRow(found - row_names.begin())) : std::nullopt;
}

/// How fast workers of one kind are, by row: geometric means over what is measured.
class Tally {
 public:
  Tally(WorkerKind kind, Trial const& trial, int rounds) : kind_(kind), trial_(trial), rounds_(rounds) {}

  /// Takes the medians of some solves, after one that touches all memory first.
  void measure(Problem const& problem) {
    std::vector<Speeds> found;
    for (int i = 0; i <= rounds_; ++i) {
      Solve solve = problem.submit(trial_);
      solve.wait();
      if (i > 0) found.push_back(row_seconds(solve.state()->tasks(), kind_));
    }
    auto const middle = found.begin() + rounds_ / 2;
    Speeds const expected = problem.reference(work_constants);
    for (WorkRow row : all_rows) {
      std::ranges::nth_element(found, middle, {}, [=](Speeds const& f) { return f[row]; });
      double const seconds = (*middle)[row], reference = expected[row];
      if (!(seconds > 0 && reference > 0)) continue;
      sum_[row] += std::log(reference / seconds);
      ++count_[row];
    }
  }

  void take_into(Speeds& column) const {
    double change = 0, measured = 0;
    for (WorkRow row : all_rows) {
      if (count_[row] == 0 || column[row] == 0) continue;
      change += sum_[row] / count_[row] - std::log(column[row]);
      ++measured;
    }
    double const rest = measured > 0 ? std::exp(change / measured) : 1;
    for (WorkRow row : all_rows) column[row] = count_[row] > 0 ? std::exp(sum_[row] / count_[row]) : rest * column[row];
  }

 private:
  WorkerKind kind_;
  Trial trial_;
  int rounds_;
  Speeds sum_, count_;
};

template <class T>
Tally of_cpus(std::shared_ptr<RuntimeState> const& runtime, TuneExtent extent) {
  bool const brief = extent == TuneExtent::brief, single = sizeof(T) == sizeof(float);
  std::size_t const count =
      std::min(std::size_t(brief ? 8000 : 32000) * std::size_t(cpus_alone().cpus), std::size_t(500000));
  int const low = single ? 4 : 6, high = single ? 8 : 14;
  Tally tally(WorkerKind::cpu, {}, brief ? 3 : 7);
  auto const ewald = [&](EwaldOptions const& options) {
    tally.measure(ewald_problem<T>(runtime, options, count, WorkerKind::cpu));
  };
  auto const fmm = [&](FmmOptions const& options, double power = 1) {
    tally.measure(fmm_problem<T>(runtime, options, count, WorkerKind::cpu, power));
  };
  ewald({.kernel = Kernel::stokeslet, .tolerance = 1e-6});
  fmm({.order = high, .capacity = 0});
  if (brief) return tally;
  ewald({.kernel = Kernel::laplace, .outputs = Output::potential | Output::gradient, .tolerance = 1e-6});
  ewald({.kernel = Kernel::stokes, .tolerance = 1e-6});
  ewald({.kernel = Kernel::stokeslet, .tolerance = 1e-3});
  ewald({.kernel = Kernel::laplace, .periodicity = Periodicity::none, .tolerance = 1e-4});
  fmm({.order = low, .capacity = 0});
  fmm({.order = high, .capacity = 40}, 3);
  return tally;
}

template <class T>
Tally of_gpu(std::shared_ptr<RuntimeState> const& runtime, unsigned worker, TuneExtent extent) {
  bool const brief = extent == TuneExtent::brief;
  std::size_t const count = brief ? 200000 : 1000000;
  Tally tally(WorkerKind::gpu, {worker}, brief ? 2 : 5);
  tally.measure(ewald_problem<T>(runtime, {.tolerance = 1e-6}, count, WorkerKind::gpu));
  tally.measure(
      fmm_problem<T>(runtime, {.order = sizeof(T) == sizeof(float) ? 10 : 14, .capacity = 0}, count, WorkerKind::gpu));
  return tally;
}

}  // namespace

Speeds row_seconds(std::deque<TaskRecord> const& tasks, WorkerKind kind) {
  std::vector<TaskRecord const*> ended;
  for (TaskRecord const& task : tasks)
    if ((starpu_worker_get_type(task.worker) == STARPU_CPU_WORKER) == (kind == WorkerKind::cpu)) ended.push_back(&task);
  std::ranges::sort(ended, {}, &TaskRecord::end);
  Speeds sum;
  double before = 0;  // end of the previous task on the GPU
  for (TaskRecord const* task : ended) {
    double const begin = std::exchange(before, task->end);
    auto const row = row_of(task->stage);
    if (!row) continue;
    bool const many_blocks = *row == WorkRow::p2p || *row == WorkRow::leaf_p2p || *row == WorkRow::m2l;
    double const launch = many_blocks ? gpu_task : gpu_short_task,
                 occupied = 1e-6 * (task->end - std::max(task->ready, begin));
    sum[*row] += kind == WorkerKind::cpu ? task->own_seconds : std::max(occupied - launch, 0.1 * occupied);
  }
  return sum;
}

template <class T>
Throughputs measure_throughputs(std::shared_ptr<RuntimeState> const& runtime, TuneExtent extent) {
  Throughputs found = default_throughputs<T>();
  of_cpus<T>(runtime, extent).take_into(found.cpu);
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker)
    if (starpu_worker_get_type(int(worker)) != STARPU_CPU_WORKER) {
      of_gpu<T>(runtime, worker, extent).take_into(found.gpu);
      break;
    }
  return found;
}

template Throughputs measure_throughputs<double>(std::shared_ptr<RuntimeState> const&, TuneExtent);
template Throughputs measure_throughputs<float>(std::shared_ptr<RuntimeState> const&, TuneExtent);

}  // namespace nearfar::detail
