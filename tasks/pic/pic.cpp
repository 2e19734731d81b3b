// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/pic/plan.hpp"

namespace nearfar {

template <class T>
BasicPic<T>::BasicPic(Runtime const& runtime, PicOptions const& options, std::span<T const> positions,
                      std::span<T const> velocities, std::span<T const> charges, std::int64_t step)
    : plan_(detail::guarded([&] {
        return std::make_shared<detail::PicPlan<T>>(runtime.shared(), options, positions, velocities, charges, step);
      })) {}

template <class T>
Solve BasicPic<T>::advance(int steps) {
  return detail::guarded([&] { return plan_->advance(steps); });
}

template <class T>
Solve BasicPic<T>::read(PicRead<T> const& into) {
  return detail::guarded([&] { return plan_->read(into); });
}

template <class T>
std::int64_t BasicPic<T>::step() const {
  return plan_->step();
}
template <class T>
std::size_t BasicPic<T>::particles() const noexcept {
  return plan_->particles();
}
template <class T>
PicOptions const& BasicPic<T>::options() const noexcept {
  return plan_->options();
}

template class BasicPic<double>;
template class BasicPic<float>;

}  // namespace nearfar
