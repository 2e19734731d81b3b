// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/sample.hpp"

#include "codelets/simd.hpp"
#include "core/parameters.hpp"
#include "tasks/solve_state.hpp"

#include <algorithm>
#include <random>
#include <starpu.h>

namespace nearfar::detail {

template <class T>
EwaldSample<T>::EwaldSample(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions options, std::size_t points,
                            double cutoff, std::optional<unsigned> near_worker)
    : count_(points), near_worker_(near_worker) {
  options.count = points;
  EwaldParameters parameters = choose_parameters<T>(options, points, points, Rates{});
  if (cutoff != 1) {
    options.cutoff = cutoff * parameters.cutoff;
    parameters = choose_parameters<T>(options, points, points, Rates{});
  }
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
  terms_ = work_terms(options, parameters, degree, double(points), double(points), 1, simd_lanes<T>());
}

template <class T>
void EwaldSample<T>::measure() {
  Part const part = near_worker_ ? Part::near : Part::whole;
  Solve solve = plan_->submit(set_, strengths_, result_, part, Trial{near_worker_});
  solve.wait();
  auto const& tasks = solve.state()->tasks();
  bool const first = best_.empty();
  near_workers_.clear();
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    if (tasks[i].stage == std::string_view("p2p")) near_workers_.push_back(tasks[i].worker);
    bool const on_cpu = starpu_worker_get_type(tasks[i].worker) == STARPU_CPU_WORKER;
    double const elapsed = 1e-6 * (tasks[i].end - tasks[i].start), seconds = on_cpu ? tasks[i].own_seconds : elapsed;
    if (first) best_.push_back({tasks[i].stage, seconds});
    else best_[i].seconds = std::min(best_[i].seconds, seconds);
  }
}

template <class T>
double EwaldSample<T>::seconds(std::initializer_list<std::string_view> stages) const {
  double sum = 0;
  for (Task const& task : best_)
    if (std::find(stages.begin(), stages.end(), task.stage) != stages.end()) sum += task.seconds;
  return sum;
}

template class EwaldSample<double>;
template class EwaldSample<float>;

}  // namespace nearfar::detail
