// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/tune/measure.hpp"

#include "codelets/common/simd.hpp"
#include "codelets/spectral/fft/fft.hpp"
#include "core/plan/ewald/parameters.hpp"
#include "core/plan/ewald/work.hpp"
#include "core/plan/fmm/costs.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/fmm/plan.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <random>
#include <starpu.h>
#include <string_view>
#include <utility>
#include <vector>

namespace nearfar::detail {

namespace {

/// Of stages that share a row, that; of others, the one of their name.
std::optional<WorkRow> row_of(std::string_view stage) {
  using Shared = std::pair<WorkRow, std::vector<std::string_view>>;
  for (auto const& [row, stages] :
       {Shared{WorkRow::points, {"bin", "reduce", "merge"}}, Shared{WorkRow::fft, {"ifft"}},
        Shared{WorkRow::shift, {"m2m", "l2l"}}, Shared{WorkRow::evaluation, {"m2p", "p2l"}}})
    if (std::ranges::count(stages, stage) > 0) return row;
  auto const found = std::ranges::find(row_names, stage);
  if (found == row_names.end()) return {};
  return WorkRow(found - row_names.begin());
}

template <class Visit>
void for_each_row(Visit const& visit) {
  for (std::size_t i = 0; i < row_names.size(); ++i) visit(WorkRow(i));
}

/// A solve that is measured, and what it is to a reference core.
struct Problem {
  Speeds cpu, gpu;
  std::function<Solve(Trial const&)> solve;
};

template <class T>
struct Arrays {
  std::vector<T> x, strengths, result;

  /// Points that crowd toward a corner where `power` is above 1.
  Arrays(std::size_t count, Kernel kernel, bool gradient, double power)
      : x(3 * count), strengths(count * std::size_t(strength_components(kernel))),
        result(count * std::size_t(result_components(kernel, gradient))) {
    std::mt19937 random(1);
    for (T& v : x) v = T(std::pow(random() / 4294967296.0, power));
    for (T& v : strengths) v = T(random() / 4294967296.0 - 0.5);
  }
};

template <class T>
Machine workers(int gpus) {
  Machine machine = cpus_alone();
  machine.gpus = gpus;
  machine.all_stages = gpus > 0 && GpuStage<Fft<T>>;
  machine.lanes = simd_lanes<T>();
  return machine;
}

/// One worker of each kind that is worth one reference core.
template <class T>
Machine reference() {
  Machine machine = workers<T>(1);
  machine.speed = {Speeds(1), Speeds(1)};
  return machine;
}

template <class T>
Problem ewald_problem(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions options, std::size_t count, int gpus) {
  if (sizeof(T) == sizeof(float)) options.tolerance = std::max(1e-5, options.tolerance);
  else options.far_precision = FarPrecision::double_;
  EwaldParameters const p = choose_parameters<T>(options, count, count, {}, workers<T>(gpus));
  auto const plan = std::make_shared<EwaldPlan<T>>(runtime, options, p);
  auto const arrays = std::make_shared<Arrays<T>>(count, options.kernel, options.gradient, 1);
  auto const points = plan->set_points(OnHost<T>(arrays->x), OnHost<T>({}), true);
  double const degree = plan->setup().table_memory.data()->near.degree;
  Work const work = predict_work(options, p, degree, double(count), double(count), reference<T>(), 1);
  Problem problem{Speeds(), Speeds(), [=](Trial const& trial) {
                    Solve solve = plan->submit(points, arrays->strengths, arrays->result, Part::whole, trial);
                    solve.wait();
                    return solve;
                  }};
  for (auto const& [row, stage] : {std::pair{WorkRow::points, work.points}, std::pair{WorkRow::p2p, work.pairs},
                                   std::pair{WorkRow::p2g, work.spread}, std::pair{WorkRow::fft, work.planes},
                                   std::pair{WorkRow::scale, work.columns}, std::pair{WorkRow::g2p, work.gather}}) {
    problem.cpu[row] = stage.cpu;
    problem.gpu[row] = stage.gpu;
  }
  return problem;
}

template <class T>
Problem fmm_problem(std::shared_ptr<RuntimeState> const& runtime, FmmOptions options, std::size_t count, int gpus,
                    double power = 1) {
  options.gradient = true;
  options.well_separation = 1;
  auto const plan = std::make_shared<FmmPlan<T>>(runtime, options, workers<T>(gpus));
  auto const arrays = std::make_shared<Arrays<T>>(count, options.kernel, options.gradient, power);
  auto const points = plan->set_points(OnHost<T>(arrays->x), OnHost<T>({}), true);
  Problem problem{Speeds(), Speeds(), [=](Trial const& trial) {
                    Solve solve = plan->submit(points, arrays->strengths, arrays->result, trial);
                    solve.wait();
                    return solve;
                  }};
  FmmParameters const p = points->parameters();
  auto const fill = [&](Speeds& column, auto const& s) {
    column[WorkRow::leaf_p2p] = s.pair * double(p.pairs);
    column[WorkRow::m2l] = s.interaction * double(p.translations);
    column[WorkRow::shift] = 2 * s.shift * double(p.boxes);
    column[WorkRow::p2m] = s.source * double(count);
    column[WorkRow::l2p] = s.target * double(count);
  };
  FmmSeconds const s = fmm_seconds(options.kernel, options.gradient, p.order, reference<T>());
  fill(problem.cpu, s);
  fill(problem.gpu, fmm_gpu_seconds(options.kernel, options.gradient, p.order, reference<T>()));
  for (WorkRow row : {WorkRow::p2m, WorkRow::l2p}) problem.cpu[row] -= s.particle * double(count);
  problem.cpu[WorkRow::points] = 2 * s.particle * double(count);
  problem.cpu[WorkRow::evaluation] = s.m2p * double(p.evaluations) + s.p2l * double(p.expansions);
  return problem;
}

/// Geometric means of what measurements say, by row.
class Tally {
 public:
  /// Medians of some solves, after one that touches all memory.
  void measure(Problem const& problem, WorkerKind kind, Trial const& trial, int rounds) {
    std::vector<Speeds> found;
    problem.solve(trial);
    for (int i = 0; i < rounds; ++i) found.push_back(row_seconds(problem.solve(trial).state()->tasks(), kind));
    for_each_row([&](WorkRow row) {
      std::vector<double> seconds;
      for (auto const& f : found) seconds.push_back(f[row]);
      auto const middle = seconds.begin() + std::ptrdiff_t(seconds.size() / 2);
      std::nth_element(seconds.begin(), middle, seconds.end());
      double const reference = (kind == WorkerKind::cpu ? problem.cpu : problem.gpu)[row];
      if (!(*middle > 0 && reference > 0)) return;
      sum_[row] += std::log(reference / *middle);
      ++count_[row];
    });
  }

  void take_into(Speeds& column) const {
    double change = 0, measured = 0;
    for_each_row([&](WorkRow row) {
      if (count_[row] == 0 || column[row] == 0) return;
      change += sum_[row] / count_[row] - std::log(column[row]);
      ++measured;
    });
    double const rest = measured > 0 ? std::exp(change / measured) : 1;
    for_each_row([&](WorkRow row) {
      if (count_[row] > 0) column[row] = std::exp(sum_[row] / count_[row]);
      else column[row] *= rest;
    });
  }

 private:
  Speeds sum_, count_;
};

template <class T>
Tally of_cpus(std::shared_ptr<RuntimeState> const& runtime, TuneExtent extent) {
  bool const brief = extent == TuneExtent::brief;
  std::size_t const count =
      std::min(std::size_t(brief ? 8000 : 32000) * std::size_t(cpus_alone().cpus), std::size_t(500000));
  int const rounds = brief ? 3 : 7, low = sizeof(T) == sizeof(float) ? 4 : 6,
            high = sizeof(T) == sizeof(float) ? 8 : 14;
  Tally tally;
  auto const ewald = [&](EwaldOptions const& options) {
    tally.measure(ewald_problem<T>(runtime, options, count, 0), WorkerKind::cpu, Trial{}, rounds);
  };
  auto const fmm = [&](FmmOptions const& options, double power = 1) {
    tally.measure(fmm_problem<T>(runtime, options, count, 0, power), WorkerKind::cpu, Trial{}, rounds);
  };
  ewald({.kernel = Kernel::stokeslet, .tolerance = 1e-6});
  fmm({.order = high, .capacity = 0});
  if (brief) return tally;
  ewald({.kernel = Kernel::laplace, .gradient = true, .tolerance = 1e-6});
  ewald({.kernel = Kernel::stokes, .tolerance = 1e-6});
  ewald({.kernel = Kernel::stokeslet, .tolerance = 1e-3});
  ewald({.kernel = Kernel::laplace, .periodicity = Periodicity::none, .tolerance = 1e-4});
  fmm({.order = low, .capacity = 0});
  fmm({.order = high, .capacity = 40}, 3);
  return tally;
}

template <class T>
Tally of_gpu(std::shared_ptr<RuntimeState> const& runtime, unsigned worker, TuneExtent extent) {
  std::size_t const count = extent == TuneExtent::brief ? 200000 : 1000000;
  int const rounds = extent == TuneExtent::brief ? 2 : 5;
  Tally tally;
  Trial const trial{worker};
  tally.measure(ewald_problem<T>(runtime, {.tolerance = 1e-6}, count, 1), WorkerKind::gpu, trial, rounds);
  tally.measure(fmm_problem<T>(runtime, {.order = sizeof(T) == sizeof(float) ? 10 : 14, .capacity = 0}, count, 1),
                WorkerKind::gpu, trial, rounds);
  return tally;
}

}  // namespace

Speeds row_seconds(std::deque<TaskRecord> const& tasks, WorkerKind kind) {
  std::vector<TaskRecord const*> ended;
  for (TaskRecord const& task : tasks)
    if ((starpu_worker_get_type(task.worker) == STARPU_CPU_WORKER) == (kind == WorkerKind::cpu)) ended.push_back(&task);
  std::ranges::sort(ended, {}, &TaskRecord::end);
  Speeds sum;
  double before = 0;  // end of the last one on the GPU
  for (TaskRecord const* task : ended) {
    double const begin = std::exchange(before, task->end);
    auto const row = row_of(task->stage);
    if (!row) continue;
    double const launch = *row == WorkRow::p2p || *row == WorkRow::leaf_p2p || *row == WorkRow::m2l ? gpu_task
                                                                                                    : gpu_short_task,
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
