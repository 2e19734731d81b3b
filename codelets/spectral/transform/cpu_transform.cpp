// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/transform/cpu_transform.hpp"

#include "codelets/spectral/transform/fftw.hpp"
#include "core/plan/user_folder.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace nearfar {

namespace {

/// Memory to plan on, aligned as FFTW likes it.
template <class T>
class PlanningMemory {
 public:
  explicit PlanningMemory(std::size_t bytes) : memory_(Fftw<T>::allocate(bytes)) {
    if (!memory_) throw std::bad_alloc();
  }
  void* get() const { return memory_.get(); }

 private:
  struct Release {
    void operator()(void* p) const { Fftw<T>::release(p); }
  };
  std::unique_ptr<void, Release> memory_;
};

/// Numbers that a side of a shape spans.
std::size_t extent(TransformShape const& s, TransformShape::Side const& side) {
  std::size_t room = std::size_t(s.dimensions == 2 ? side.room[0] : 1) * std::size_t(side.room[1]);
  return (room - 1) * std::size_t(side.stride) + std::size_t(s.count - 1) * std::size_t(side.distance) + 1;
}

template <class T>
std::shared_ptr<void> owned(typename Fftw<T>::Plan plan, std::string const& what) {
  if (plan == nullptr) throw Error(Fault::bug, "FFTW made no plan for " + what);
  return {plan, [](void* p) {
            std::lock_guard const planning(transform_planner());
            Fftw<T>::destroy(static_cast<typename Fftw<T>::Plan>(p));
          }};
}

std::string text(TransformShape const& s) {
  return std::to_string(s.count) + " transforms of " +
         (s.dimensions == 2 ? std::to_string(s.size[0]) + " x " : std::string()) + std::to_string(s.size[1]) +
         " points";
}

}  // namespace

std::recursive_mutex& transform_planner() noexcept {
  static std::recursive_mutex planner;
  return planner;
}

template <class T>
TransformPlanning<T>::TransformPlanning() {
  static bool const imported = [] {
    if (!user_folder().empty()) Fftw<T>::import_wisdom((user_folder() / Fftw<T>::wisdom).c_str());
    return true;
  }();
  (void)imported;
}

template <class T>
TransformPlanning<T>::~TransformPlanning() {
  // A cache that cannot be written only means that the next process measures again.
  replace_in_user_folder(Fftw<T>::wisdom, [](auto const& path) { return Fftw<T>::export_wisdom(path.c_str()) != 0; });
}

template <class T>
std::string TransformPlanning<T>::learned() const {
  std::unique_ptr<char, void (*)(void*)> const text(Fftw<T>::export_text(), std::free);
  if (!text) throw std::bad_alloc();
  return text.get();
}

template <class T>
void TransformPlanning<T>::learn(std::string const& text) const {
  Fftw<T>::import_text(text.c_str());
}

template <class T>
CpuTransform<T>::CpuTransform(TransformPlanning<T> const&, TransformShape const& s, Direction direction,
                              PlanUse const& use) {
  using F = Fftw<T>;
  using Complex = typename F::Complex;
  bool const forward = direction == Direction::forward;
  auto const &from = forward ? s.from : s.to, &to = forward ? s.to : s.from;
  auto const first = std::size_t(2 - s.dimensions);
  int const *const size = s.size.data() + first, *const from_room = from.room.data() + first,
                   *const to_room = to.room.data() + first;
  PlanningMemory<T> const in_memory(extent(s, from) * sizeof(Complex)),
      out_memory(use.in_place ? 1 : extent(s, to) * sizeof(Complex));
  void *const in = in_memory.get(), *const out = use.in_place ? in : out_memory.get();
  unsigned const how = (use.measured ? FFTW_MEASURE : FFTW_ESTIMATE) | (use.aligned ? 0 : FFTW_UNALIGNED);
  if (!s.real) {
    plan_ = owned<T>(F::many_complex(s.dimensions, size, s.count, static_cast<Complex*>(in), from_room, from.stride,
                                     from.distance, static_cast<Complex*>(out), to_room, to.stride, to.distance,
                                     forward ? FFTW_FORWARD : FFTW_BACKWARD, how),
                     text(s));
    run_ = [](void* plan, void* a, void* b) {
      F::complex(static_cast<typename F::Plan>(plan), static_cast<Complex*>(a), static_cast<Complex*>(b));
    };
  } else if (forward) {
    plan_ = owned<T>(F::many_forward(s.dimensions, size, s.count, static_cast<T*>(in), from_room, from.stride,
                                     from.distance, static_cast<Complex*>(out), to_room, to.stride, to.distance,
                                     how | (use.in_place ? 0 : FFTW_PRESERVE_INPUT)),
                     text(s));
    run_ = [](void* plan, void* a, void* b) {
      F::forward(static_cast<typename F::Plan>(plan), static_cast<T*>(a), static_cast<Complex*>(b));
    };
  } else {
    plan_ = owned<T>(
        F::many_inverse(s.dimensions, size, s.count, static_cast<Complex*>(in), from_room, from.stride, from.distance,
                        static_cast<T*>(out), to_room, to.stride, to.distance, how | FFTW_DESTROY_INPUT),
        text(s));
    run_ = [](void* plan, void* a, void* b) {
      F::inverse(static_cast<typename F::Plan>(plan), static_cast<Complex*>(a), static_cast<T*>(b));
    };
  }
}

CosineTransform::CosineTransform(TransformPlanning<double> const&, int half, int count, bool measured) {
  PlanningMemory<double> const memory(std::size_t(half) * std::size_t(count) * sizeof(double));
  auto* const columns = static_cast<double*>(memory.get());
  fftw_r2r_kind const kind[1] = {FFTW_REDFT00};
  plan_ = owned<double>(fftw_plan_many_r2r(1, &half, count, columns, &half, count, 1, columns, &half, count, 1, kind,
                                           measured ? FFTW_MEASURE : FFTW_ESTIMATE),
                        "even sequences of " + std::to_string(2 * (half - 1)) + " points");
}

void CosineTransform::operator()(double* columns) const {
  fftw_execute_r2r(static_cast<fftw_plan>(plan_.get()), columns, columns);
}

template <class T>
bool is_aligned_for_transforms(void const* array) noexcept {
  return Fftw<T>::alignment(static_cast<T*>(const_cast<void*>(array))) == 0;
}

template class TransformPlanning<double>;
template class TransformPlanning<float>;
template class CpuTransform<double>;
template class CpuTransform<float>;
template bool is_aligned_for_transforms<double>(void const*) noexcept;
template bool is_aligned_for_transforms<float>(void const*) noexcept;

}  // namespace nearfar
