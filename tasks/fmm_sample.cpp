// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_sample.hpp"

#include "tasks/machine_shape.hpp"

#include <cmath>
#include <random>

namespace nearfar::detail {

template <class T>
FmmSample<T>::FmmSample(std::shared_ptr<RuntimeState> const& runtime, FmmOptions const& options, double power,
                        std::size_t count, int gpus)
    : plan_(
          std::make_shared<FmmPlan<T>>(runtime, options, FmmMachine{default_fmm_rates<T>(), cpus_alone().cpus, gpus})),
      strengths_(count), result_(4 * count) {
  std::mt19937 random(1);
  std::vector<T> x(3 * count);
  for (T& v : x) v = T(std::pow(random() / 4294967296.0, power));
  for (T& v : strengths_) v = T(random() / 4294967296.0 - 0.5);
  points_ = plan_->set_points(x, {}, true);
}

template <class T>
Solve FmmSample<T>::solve(std::optional<Trial> const& trial) {
  Solve solve = plan_->submit(points_, strengths_, result_, trial);
  solve.wait();
  return solve;
}

template class FmmSample<double>;
template class FmmSample<float>;

}  // namespace nearfar::detail
