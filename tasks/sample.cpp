// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/sample.hpp"

#include "codelets/simd.hpp"
#include "core/parameters.hpp"
#include "tasks/machine_shape.hpp"
#include "tasks/solve_state.hpp"

#include <algorithm>
#include <random>
#include <starpu.h>

namespace nearfar::detail {

template <class T>
EwaldSample<T>::EwaldSample(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions options, std::size_t points,
                            double cutoff, Part part, std::optional<unsigned> worker, MachineShape const& machine)
    : count_(points), part_(part), worker_(worker) {
  options.count = points;
  options.cutoff = cutoff * choose_parameters<T>(options, points, points, Rates{}).cutoff;
  EwaldParameters const parameters = choose_parameters<T>(options, points, points, Rates{}, {}, machine);
  plan_ = std::make_shared<EwaldPlan<T>>(runtime, options, parameters);
  std::mt19937 random(1);
  auto const fill = [&](std::vector<T>& values, int per_point) {
    values.resize(points * std::size_t(per_point));
    for (T& v : values) v = T(random() / 4294967296.0);
  };
  std::vector<T> x;
  fill(x, 3);
  fill(strengths_, strength_components(options.kernel));
  result_.resize(points * std::size_t(result_components(options.kernel, options.gradient)));
  set_ = plan_->set_points(x, {}, true);
  int const degree = plan_->setup().table_memory.data()->near.degree;
  terms_ = work_terms(options, parameters, degree, double(points), double(points), 1, simd_lanes<T>(),
                      cpus_alone().mutual_blocks);
}

template <class T>
void EwaldSample<T>::measure(bool ask_models) {
  Solve solve = plan_->submit(set_, strengths_, result_, part_, Trial{worker_, ask_models});
  solve.wait();
  auto const& tasks = solve.state()->tasks();
  near_workers_.clear();
  modelled_.clear();
  std::vector<Task> round;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].stage == std::string_view("p2p")) near_workers_.push_back(tasks[i].worker);
    bool const on_cpu = starpu_worker_get_type(tasks[i].worker) == STARPU_CPU_WORKER;
    double const elapsed = 1e-6 * (tasks[i].end - tasks[i].start), seconds = on_cpu ? tasks[i].own_seconds : elapsed;
    round.push_back({tasks[i].stage, seconds});
    modelled_.push_back({tasks[i].stage, 1e-6 * tasks[i].expected});
  }
  rounds_.push_back(std::move(round));
}

template <class T>
double EwaldSample<T>::sum(std::vector<Task> const& tasks, Stages stages) {
  double sum = 0;
  for (Task const& task : tasks)
    if (std::find(stages.begin(), stages.end(), task.stage) != stages.end()) sum += task.seconds;
  return sum;
}

template <class T>
double EwaldSample<T>::seconds(Stages stages) const {
  if (rounds_.empty()) return 0;
  std::vector<Task> best = rounds_.front();
  for (auto const& round : rounds_)
    for (std::size_t i = 0; i < best.size(); ++i) best[i].seconds = std::min(best[i].seconds, round[i].seconds);
  return sum(best, stages);
}

template <class T>
double EwaldSample<T>::typical_seconds(Stages stages) const {
  std::vector<double> sums;
  for (auto const& round : rounds_) sums.push_back(sum(round, stages));
  if (sums.empty()) return 0;
  auto const middle = sums.begin() + std::ptrdiff_t(sums.size() / 2);
  std::nth_element(sums.begin(), middle, sums.end());
  return *middle;
}

template <class T>
double EwaldSample<T>::modelled_seconds(Stages stages) const {
  for (Task const& task : modelled_)
    if (std::find(stages.begin(), stages.end(), task.stage) != stages.end() && !(task.seconds > 0)) return 0;
  return sum(modelled_, stages);
}

template class EwaldSample<double>;
template class EwaldSample<float>;

}  // namespace nearfar::detail
