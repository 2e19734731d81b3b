// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/engine/runtime/memory.hpp"
#include "tasks/fmm/plan.hpp"
#include "tasks/points/views/pack.hpp"

#include <algorithm>
#include <array>

namespace nearfar {

template <class T>
std::size_t BasicFmmPoints<T>::sources() const noexcept {
  return set_->sources().size();
}
template <class T>
std::size_t BasicFmmPoints<T>::targets() const noexcept {
  return set_->targets().size();
}
template <class T>
FmmPlanning BasicFmmPoints<T>::parameters() const {
  auto const set = set_->finest();
  FmmPlanning p = set->parameters();
  double const known = set->known_error();
  p.estimated_error = std::max(known >= 0 ? known : p.estimated_error, set->missed());
  return p;
}

template <class T>
BasicFmm<T>::BasicFmm(Runtime const& runtime, FmmOptions const& options)
    : plan_(detail::guarded([&] { return std::make_shared<detail::FmmPlan<T>>(runtime.shared(), options); })) {}

template <class T>
BasicFmmPoints<T> BasicFmm<T>::set_points(std::span<T const> sources) {
  return detail::guarded([&] {
    return BasicFmmPoints<T>(plan_->set_points(detail::OnHost<T>(sources), detail::OnHost<T>({}), Targets::sources));
  });
}
template <class T>
BasicFmmPoints<T> BasicFmm<T>::set_points(std::span<T const> sources, std::span<T const> targets) {
  return detail::guarded([&] {
    return BasicFmmPoints<T>(plan_->set_points(detail::OnHost<T>(sources), detail::OnHost<T>(targets), Targets::own));
  });
}
template <class T>
BasicFmmPoints<T> BasicFmm<T>::move_points(BasicFmmPoints<T> const& before, std::span<T const> sources) {
  return detail::guarded([&] {
    return BasicFmmPoints<T>(
        plan_->move_points(before.set(), detail::OnHost<T>(sources), detail::OnHost<T>({}), Targets::sources));
  });
}
template <class T>
BasicFmmPoints<T> BasicFmm<T>::move_points(BasicFmmPoints<T> const& before, std::span<T const> sources,
                                           std::span<T const> targets) {
  return detail::guarded([&] {
    return BasicFmmPoints<T>(
        plan_->move_points(before.set(), detail::OnHost<T>(sources), detail::OnHost<T>(targets), Targets::own));
  });
}

template <class T>
Solve BasicFmm<T>::submit(BasicFmmPoints<T> const& points, std::span<T const> strengths, std::span<T> result,
                          std::optional<Stream> const& after) {
  return detail::guarded([&] { return plan_->submit({points.set(), strengths, result, Part::whole, {}, {}, after}); });
}

template <class T>
BasicFmmPoints<T> BasicFmm<T>::set_points(Arrays<T const> const& sources) {
  return detail::guarded([&] {
    return BasicFmmPoints<T>(plan_->set_points(detail::OnHost<T>(sources), detail::OnHost<T>({}), Targets::sources));
  });
}
template <class T>
BasicFmmPoints<T> BasicFmm<T>::set_points(Arrays<T const> const& sources, Arrays<T const> const& targets) {
  return detail::guarded([&] {
    return BasicFmmPoints<T>(plan_->set_points(detail::OnHost<T>(sources), detail::OnHost<T>(targets), Targets::own));
  });
}
template <class T>
BasicFmmPoints<T> BasicFmm<T>::move_points(BasicFmmPoints<T> const& before, Arrays<T const> const& sources) {
  return detail::guarded([&] {
    return BasicFmmPoints<T>(
        plan_->move_points(before.set(), detail::OnHost<T>(sources), detail::OnHost<T>({}), Targets::sources));
  });
}
template <class T>
BasicFmmPoints<T> BasicFmm<T>::move_points(BasicFmmPoints<T> const& before, Arrays<T const> const& sources,
                                           Arrays<T const> const& targets) {
  return detail::guarded([&] {
    return BasicFmmPoints<T>(
        plan_->move_points(before.set(), detail::OnHost<T>(sources), detail::OnHost<T>(targets), Targets::own));
  });
}
template <class T>
Solve BasicFmm<T>::submit(BasicFmmPoints<T> const& points, Arrays<T const> const& strengths, Arrays<T> const& result,
                          std::optional<Stream> const& after) {
  return detail::guarded([&] { return plan_->submit({points.set(), strengths, result, Part::whole, {}, {}, after}); });
}

template <class T>
BasicFmmPoints<T> BasicFmm<T>::set_points(RowsIn const& sources) {
  return detail::guarded([&] { return BasicFmmPoints<T>(plan_->set_points(sources, nullptr)); });
}
template <class T>
BasicFmmPoints<T> BasicFmm<T>::set_points(RowsIn const& sources, RowsIn const& targets) {
  return detail::guarded([&] { return BasicFmmPoints<T>(plan_->set_points(sources, &targets)); });
}
template <class T>
BasicFmmPoints<T> BasicFmm<T>::move_points(BasicFmmPoints<T> const& before, RowsIn const& sources) {
  return detail::guarded([&] { return BasicFmmPoints<T>(plan_->move_points(before.set(), sources, nullptr)); });
}
template <class T>
BasicFmmPoints<T> BasicFmm<T>::move_points(BasicFmmPoints<T> const& before, RowsIn const& sources,
                                           RowsIn const& targets) {
  return detail::guarded([&] { return BasicFmmPoints<T>(plan_->move_points(before.set(), sources, &targets)); });
}
template <class T>
Solve BasicFmm<T>::submit(BasicFmmPoints<T> const& points, RowsIn const& strengths, RowsOut const& result) {
  auto const& o = options();
  return detail::guarded([&] {
    return detail::submit_views<T>(strengths, strength_components(o.kernel), result,
                                   result_components(o.kernel, o.outputs),
                                   [&](std::span<T const> in, std::span<T> out, std::function<void()> const& finally,
                                       std::exception_ptr const& refused) {
                                     return plan_->submit({.points = points.set(),
                                                           .strengths = in,
                                                           .result = out,
                                                           .part = Part::whole,
                                                           .finally = finally,
                                                           .refused = refused});
                                   });
  });
}

template <class T>
FmmPlanning BasicFmm<T>::parameters() const {
  return plan_->parameters();
}
template <class T>
double BasicFmm<T>::estimated_error() const {
  return plan_->parameters().estimated_error;
}
template <class T>
FmmOptions const& BasicFmm<T>::options() const noexcept {
  return plan_->options();
}

template class BasicFmmPoints<double>;
template class BasicFmmPoints<float>;
template class BasicFmm<double>;
template class BasicFmm<float>;

}  // namespace nearfar
