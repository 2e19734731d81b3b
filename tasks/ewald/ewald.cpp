// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/ewald/plan.hpp"
#include "tasks/points/views/pack.hpp"

namespace nearfar {

template <class T>
std::size_t BasicPoints<T>::sources() const noexcept {
  return set_->sources().size();
}
template <class T>
std::size_t BasicPoints<T>::targets() const noexcept {
  return set_->targets().size();
}

template <class T>
BasicEwald<T>::BasicEwald(Runtime const& runtime, EwaldOptions const& options)
    : plan_(detail::guarded([&] { return std::make_shared<detail::EwaldPlan<T>>(runtime.shared(), options); })) {}

template <class T>
BasicPoints<T> BasicEwald<T>::set_points(std::span<T const> sources) {
  return detail::guarded([&] {
    return BasicPoints<T>(plan_->set_points(detail::OnHost<T>(sources), detail::OnHost<T>({}), Targets::sources));
  });
}
template <class T>
BasicPoints<T> BasicEwald<T>::set_points(std::span<T const> sources, std::span<T const> targets) {
  return detail::guarded([&] {
    return BasicPoints<T>(plan_->set_points(detail::OnHost<T>(sources), detail::OnHost<T>(targets), Targets::own));
  });
}

template <class T>
BasicPoints<T> BasicEwald<T>::move_points(BasicPoints<T> const& before, std::span<T const> sources) {
  return detail::guarded([&] {
    return BasicPoints<T>(
        plan_->move_points(before.set(), detail::OnHost<T>(sources), detail::OnHost<T>({}), Targets::sources));
  });
}
template <class T>
BasicPoints<T> BasicEwald<T>::move_points(BasicPoints<T> const& before, std::span<T const> sources,
                                          std::span<T const> targets) {
  return detail::guarded([&] {
    return BasicPoints<T>(
        plan_->move_points(before.set(), detail::OnHost<T>(sources), detail::OnHost<T>(targets), Targets::own));
  });
}

template <class T>
void BasicEwald<T>::set_cell(std::array<std::array<double, 3>, 3> const& rows) {
  detail::guarded([&] { plan_->set_cell(rows); });
}
template <class T>
BasicPoints<T> BasicEwald<T>::set_cell(BasicPoints<T> const& before, std::array<std::array<double, 3>, 3> const& rows) {
  return detail::guarded([&] { return BasicPoints<T>(plan_->set_cell(before.set(), rows)); });
}

template <class T>
Solve BasicEwald<T>::submit(BasicPoints<T> const& points, std::span<T const> strengths, std::span<T> result, Part part,
                            std::optional<Stream> const& after) {
  return detail::guarded([&] { return plan_->submit({points.set(), strengths, result, part, {}, {}, after}); });
}

template <class T>
BasicPoints<T> BasicEwald<T>::set_points(Arrays<T const> const& sources) {
  return detail::guarded([&] {
    return BasicPoints<T>(plan_->set_points(detail::OnHost<T>(sources), detail::OnHost<T>({}), Targets::sources));
  });
}
template <class T>
BasicPoints<T> BasicEwald<T>::set_points(Arrays<T const> const& sources, Arrays<T const> const& targets) {
  return detail::guarded([&] {
    return BasicPoints<T>(plan_->set_points(detail::OnHost<T>(sources), detail::OnHost<T>(targets), Targets::own));
  });
}
template <class T>
BasicPoints<T> BasicEwald<T>::move_points(BasicPoints<T> const& before, Arrays<T const> const& sources) {
  return detail::guarded([&] {
    return BasicPoints<T>(
        plan_->move_points(before.set(), detail::OnHost<T>(sources), detail::OnHost<T>({}), Targets::sources));
  });
}
template <class T>
BasicPoints<T> BasicEwald<T>::move_points(BasicPoints<T> const& before, Arrays<T const> const& sources,
                                          Arrays<T const> const& targets) {
  return detail::guarded([&] {
    return BasicPoints<T>(
        plan_->move_points(before.set(), detail::OnHost<T>(sources), detail::OnHost<T>(targets), Targets::own));
  });
}
template <class T>
Solve BasicEwald<T>::submit(BasicPoints<T> const& points, Arrays<T const> const& strengths, Arrays<T> const& result,
                            Part part, std::optional<Stream> const& after) {
  return detail::guarded([&] { return plan_->submit({points.set(), strengths, result, part, {}, {}, after}); });
}

template <class T>
BasicPoints<T> BasicEwald<T>::set_points(RowsIn const& sources) {
  return detail::guarded([&] { return BasicPoints<T>(plan_->set_points(sources, nullptr)); });
}
template <class T>
BasicPoints<T> BasicEwald<T>::set_points(RowsIn const& sources, RowsIn const& targets) {
  return detail::guarded([&] { return BasicPoints<T>(plan_->set_points(sources, &targets)); });
}
template <class T>
BasicPoints<T> BasicEwald<T>::move_points(BasicPoints<T> const& before, RowsIn const& sources) {
  return detail::guarded([&] { return BasicPoints<T>(plan_->move_points(before.set(), sources, nullptr)); });
}
template <class T>
BasicPoints<T> BasicEwald<T>::move_points(BasicPoints<T> const& before, RowsIn const& sources, RowsIn const& targets) {
  return detail::guarded([&] { return BasicPoints<T>(plan_->move_points(before.set(), sources, &targets)); });
}
template <class T>
Solve BasicEwald<T>::submit(BasicPoints<T> const& points, RowsIn const& strengths, RowsOut const& result, Part part) {
  auto const& o = options();
  return detail::guarded([&] {
    return detail::submit_views<T>(strengths, strength_components(o.kernel), result,
                                   result_components(o.kernel, o.outputs),
                                   [&](std::span<T const> in, std::span<T> out, std::function<void()> const& finally,
                                       std::exception_ptr const& refused) {
                                     return plan_->submit({.points = points.set(),
                                                           .strengths = in,
                                                           .result = out,
                                                           .part = part,
                                                           .finally = finally,
                                                           .refused = refused});
                                   });
  });
}

template <class T>
EwaldPlanning BasicEwald<T>::parameters() const {
  return plan_->parameters();
}
template <class T>
double BasicEwald<T>::estimated_error() const {
  return plan_->parameters().estimated_error;
}
template <class T>
EwaldOptions const& BasicEwald<T>::options() const noexcept {
  return plan_->options();
}

template class BasicPoints<double>;
template class BasicPoints<float>;
template class BasicEwald<double>;
template class BasicEwald<float>;

}  // namespace nearfar
