// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/tune/measure.hpp"

#include "codelets/common/simd/simd.hpp"
#include "codelets/spectral/fft/fft.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/ewald/work.hpp"
#include "core/plan/fmm/costs.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/fmm/plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <random>
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

/// A solve on workers of one kind, and the seconds of each row on a worker as fast as one reference core.
struct Problem {
  Speeds reference;
  std::function<Solve(Trial const&)> submit;
};

template <class T>
struct Arrays {
  std::vector<T> x, strengths, result;

  /// Points clustered toward a corner if `power` is above 1.
  Arrays(std::size_t count, Kernel kernel, Outputs outputs, double power)
      : x(3 * count), strengths(count * std::size_t(strength_components(kernel))),
        result(count * std::size_t(result_components(kernel, outputs))) {
    std::mt19937 random(1);
    for (T& v : x) v = T(std::pow(random() / 4294967296.0, power));
    for (T& v : strengths) v = T(random() / 4294967296.0 - 0.5);
  }
};

/// All CPU workers, or a GPU that runs every stage it has bodies for; each worth one reference core.
template <class T>
Machine reference(WorkerKind kind) {
  Machine machine = cpus_alone();
  machine.gpus = kind == WorkerKind::gpu;
  machine.all_stages = machine.gpus > 0 && GpuStage<Fft<T>>;
  machine.lanes = simd_lanes<T>();
  machine.speed = {Speeds(1), Speeds(1)};
  return machine;
}
/// The same workers at the default speeds of an unmeasured machine, for which the problems are planned.
template <class T>
Machine usual(WorkerKind kind) {
  Machine machine = reference<T>(kind);
  machine.speed = {};
  return machine;
}

template <class T>
Problem ewald_problem(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions options, std::size_t count,
                      WorkerKind kind) {
  if (sizeof(T) == sizeof(float)) options.tolerance = std::max(1e-5, options.tolerance);
  else options.far_precision = FarPrecision::double_;
  EwaldParameters const p = choose_parameters<T>(options, count, count, {}, usual<T>(kind));
  auto const plan = std::make_shared<EwaldPlan<T>>(runtime, options, p);
  auto const arrays = std::make_shared<Arrays<T>>(count, options.kernel, options.outputs, 1);
  auto const points = plan->set_points(OnHost<T>(arrays->x), OnHost<T>({}), true);
  double const degree = plan->setup().table_memory.data()->near.degree;
  Work const work = predict_work(options, p, degree, double(count), double(count), reference<T>(kind), 1);
  Problem problem{Speeds(), [=](Trial const& trial) {
                    return plan->submit({points, arrays->strengths, arrays->result, Part::whole, trial});
                  }};
  for (auto const& [row, stage] : {std::pair{WorkRow::points, work.points}, std::pair{WorkRow::p2p, work.pairs},
                                   std::pair{WorkRow::p2g, work.spread}, std::pair{WorkRow::fft, work.planes},
                                   std::pair{WorkRow::scale, work.columns}, std::pair{WorkRow::g2p, work.gather}})
    problem.reference[row] = kind == WorkerKind::cpu ? stage.cpu : stage.gpu;
  return problem;
}

template <class T>
Problem fmm_problem(std::shared_ptr<RuntimeState> const& runtime, FmmOptions options, std::size_t count,
                    WorkerKind kind, double power = 1) {
  options.outputs = Output::potential | Output::gradient;
  options.well_separation = 1;
  if (std::is_same_v<T, double>) options.near_precision = NearPrecision::double_;  // as the table has it
  auto const plan = std::make_shared<FmmPlan<T>>(runtime, options, usual<T>(kind));
  auto const arrays = std::make_shared<Arrays<T>>(count, options.kernel, options.outputs, power);
  auto const points = plan->set_points(OnHost<T>(arrays->x), OnHost<T>({}), true);
  Problem problem{Speeds(), [=](Trial const& trial) {
                    return plan->submit({points, arrays->strengths, arrays->result, Part::whole, trial});
                  }};
  FmmParameters const p = points->parameters();
  FmmSeconds const s = fmm_seconds(options.kernel, options.outputs, p.order, reference<T>(kind), kind);
  Speeds& row = problem.reference;
  row[WorkRow::leaf_p2p] = s.pair * double(p.pairs);
  row[WorkRow::m2l] = s.interaction * double(p.translations);
  row[WorkRow::shift] = 2 * s.shift * double(p.boxes);
  row[WorkRow::p2m] = (s.source - s.particle) * double(count);
  row[WorkRow::l2p] = (s.target - s.particle) * double(count);
  row[WorkRow::points] = 2 * s.particle * double(count);
  row[WorkRow::evaluation] = s.m2p * double(p.evaluations) + s.p2l * double(p.expansions);
  return problem;
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
    for (WorkRow row : all_rows) {
      std::ranges::nth_element(found, middle, {}, [=](Speeds const& f) { return f[row]; });
      double const seconds = (*middle)[row], reference = problem.reference[row];
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
