// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/poisson/plan.hpp"

namespace nearfar {

template <class T>
BasicPoisson<T>::BasicPoisson(Runtime const& runtime, PoissonOptions const& options)
    : plan_(detail::guarded([&] { return std::make_shared<detail::PoissonPlan<T>>(runtime.shared(), options); })) {}

template <class T>
Solve BasicPoisson<T>::submit(std::span<T const> density, std::span<T> potential, std::span<T> field,
                              std::optional<Stream> const& after) {
  return detail::guarded([&] { return plan_->submit(density, potential, field, after); });
}

template <class T>
void BasicPoisson<T>::set_spacing(std::array<double, 3> const& spacing) {
  detail::guarded([&] { plan_->set_spacing(spacing); });
}

template <class T>
PoissonParameters BasicPoisson<T>::parameters() const {
  return plan_->parameters();
}
template <class T>
PoissonOptions BasicPoisson<T>::options() const {
  return plan_->options();
}
template <class T>
std::size_t BasicPoisson<T>::cells() const noexcept {
  return plan_->cells();
}
template <class T>
std::array<int, 2> BasicPoisson<T>::planes() const noexcept {
  return plan_->planes();
}
template <class T>
SolveReport BasicPoisson<T>::green_report() {
  return detail::guarded([&] { return plan_->green_report(); });
}

template class BasicPoisson<double>;
template class BasicPoisson<float>;

}  // namespace nearfar
