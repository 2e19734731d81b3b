// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/fft/fftw_plans.hpp"

#include "codelets/spectral/fft/plan_cache.hpp"
#include "core/plan/user_folder.hpp"

#include <nearfar/error.hpp>

#include <memory>
#include <mutex>
#include <new>
#include <string>

namespace nearfar {

namespace {

template <class T>
FftwPlans<T> make_plans(SpectralLayout const& l) {
  using F = Fftw<T>;
  using Complex = typename F::Complex;
  struct Release {
    void operator()(void* p) const { F::release(p); }
  };
  auto buffer = [](std::size_t bytes) { return std::unique_ptr<void, Release>(F::allocate(bytes)); };
  PlaneScratch const scratch(l);
  auto const real = buffer(std::size_t(l.plane_size()) * sizeof(T));
  auto const modes = buffer(std::size_t(scratch.size) * sizeof(Complex));
  auto const columns = buffer(std::size_t(column_scratch(l)) * sizeof(Complex));
  if (!real || !modes || !columns) throw std::bad_alloc();
  auto* r = static_cast<T*>(real.get());
  auto* m = static_cast<Complex*>(modes.get());
  auto* c = static_cast<Complex*>(columns.get());
  FftwPlans<T> plans{};
  // Single rows are padded in scratch memory, so nothing is transformed in the slab itself and its alignment is
  // irrelevant.
  bool const single_rows = l.free == 3, whole_steps = F::alignment(r + l.plane_size()) == 0;
  plans.aligned_slabs = whole_steps && !single_rows;
  unsigned const how = FFTW_MEASURE, planes = how | (whole_steps || single_rows ? 0 : FFTW_UNALIGNED);
  // All rows of a plane at once if they need no zeros, otherwise one by one through a padded row.
  int const n[1] = {l.row_transform()}, rows = single_rows ? 1 : l.size[1];
  int const between = l.row_length, stride = int(scratch.row_stride);
  T* const from = single_rows ? reinterpret_cast<T*>(m + scratch.row) : r;
  Complex* const to = m + scratch.row_modes;
  plans.forward_rows = F::many_forward(1, n, rows, from, n, 1, between, to, n, 1, stride, planes | FFTW_PRESERVE_INPUT);
  plans.inverse_rows = F::many_inverse(1, n, rows, to, n, 1, stride, from, n, 1, between, planes | FFTW_DESTROY_INPUT);
  bool made = plans.forward_rows && plans.inverse_rows;
  if (!by_rows(l)) {
    int const y[1] = {l.size[1]}, z = l.section[l.sections].first_z;
    auto const plan = [&](int sign) { return F::many_complex(1, y, z, m, y, stride, 1, m, y, stride, 1, sign, how); };
    plans.of_plane = {plan(FFTW_FORWARD), plan(FFTW_BACKWARD)};
    made = made && plans.of_plane.forward && plans.of_plane.inverse;
  }
  for (int n : column_lengths(l)) {
    int const length[1] = {n};
    auto const plan = [&](int sign) {
      return F::many_complex(1, length, column_batch, c, length, column_batch, 1, c, length, column_batch, 1, sign,
                             how);
    };
    auto const [at, fresh] = plans.columns.emplace(n, FftwColumns<T>{plan(FFTW_FORWARD), plan(FFTW_BACKWARD)});
    made = made && at->second.forward && at->second.inverse;
  }
  if (!made)
    throw Error(Fault::bug, "FFTW made no plan for a grid of " + std::to_string(l.size[0]) + " x " +
                                std::to_string(l.size[1]) + " x " + std::to_string(l.size[2]) + " points");
  return plans;
}

}  // namespace

std::mutex& fftw_planner() noexcept {
  static std::mutex planner;
  return planner;
}

template <class T>
FftwPlanning<T>::FftwPlanning() {
  static bool const imported = [] {
    if (!user_folder().empty()) Fftw<T>::import_wisdom((user_folder() / Fftw<T>::wisdom).c_str());
    return true;
  }();
  (void)imported;
}

template <class T>
FftwPlanning<T>::~FftwPlanning() {
  // A cache that cannot be written only means that the next process measures again.
  replace_in_user_folder(Fftw<T>::wisdom, [](auto const& path) { return Fftw<T>::export_wisdom(path.c_str()) != 0; });
}

template <class T>
FftwPlans<T> const& fftw_plans(SpectralLayout const& layout) {
  static auto& cache = *new PlanCache<FftwPlans<T>>;
  return cache.get(plan_key(layout), [&] {
    FftwPlanning<T> const planning;
    return make_plans<T>(layout);
  });
}

template class FftwPlanning<double>;
template class FftwPlanning<float>;
template FftwPlans<double> const& fftw_plans<double>(SpectralLayout const&);
template FftwPlans<float> const& fftw_plans<float>(SpectralLayout const&);

}  // namespace nearfar
