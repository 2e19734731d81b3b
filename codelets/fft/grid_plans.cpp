// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fft/grid_plans.hpp"

#include "core/user_folder.hpp"

#include <nearfar/error.hpp>

#include <array>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>

namespace nearfar {

namespace {

// FFTW's planner is not thread-safe, whatever the precision: one lock for all of it.
std::mutex planner;

template <class T>
GridPlans<T> make_plans(Grid const& g) {
  using F = Fftw<T>;
  using Complex = typename F::Complex;
  struct Release {
    void operator()(void* p) const { F::release(p); }
  };
  auto buffer = [](std::size_t bytes) { return std::unique_ptr<void, Release>(F::allocate(bytes)); };
  auto const real = buffer(std::size_t(g.plane_size()) * sizeof(T));
  auto const modes = buffer(std::size_t(plane_scratch(g)) * sizeof(Complex));
  auto const columns = buffer(std::size_t(column_scratch(g)) * sizeof(Complex));
  if (!real || !modes || !columns) throw std::bad_alloc();
  auto* r = static_cast<T*>(real.get());
  auto* m = static_cast<Complex*>(modes.get());
  auto* c = static_cast<Complex*>(columns.get());

  int const plane[2] = {g.size[1], g.size[2]};
  int const with_halo[2] = {g.rows(), g.row_length()};
  int const half[2] = {g.size[1], g.modes_z()};
  int const nx[1] = {g.size[0]};
  unsigned const how = FFTW_MEASURE;
  GridPlans<T> plans{
      F::many_forward(2, plane, 1, r, with_halo, 1, 0, m, half, 1, 0, how | FFTW_PRESERVE_INPUT),
      F::many_inverse(2, plane, 1, m, half, 1, 0, r, with_halo, 1, 0, how | FFTW_DESTROY_INPUT),
      F::many_complex(1, nx, column_batch, c, nx, column_batch, 1, c, nx, column_batch, 1, FFTW_FORWARD, how),
      F::many_complex(1, nx, column_batch, c, nx, column_batch, 1, c, nx, column_batch, 1, FFTW_BACKWARD, how)};
  if (!plans.forward_plane || !plans.inverse_plane || !plans.forward_column || !plans.inverse_column)
    throw Error(Fault::bug, "FFTW made no plan for a grid of " + std::to_string(g.size[0]) + " x " +
                                std::to_string(g.size[1]) + " x " + std::to_string(g.size[2]) + " points");
  return plans;
}

}  // namespace

template <class T>
GridPlans<T> const& grid_plans(Grid const& g) {
  static std::shared_mutex mutex;
  static std::map<std::array<int, 4>, GridPlans<T>> known;
  std::array<int, 4> const key{g.size[0], g.size[1], g.size[2], g.window};
  {
    std::shared_lock const lock(mutex);
    if (auto const found = known.find(key); found != known.end()) return found->second;
  }
  std::unique_lock const lock(mutex);
  if (auto const found = known.find(key); found != known.end()) return found->second;
  std::lock_guard const planning(planner);
  auto const file = user_folder() / Fftw<T>::wisdom;
  if (known.empty() && !user_folder().empty()) Fftw<T>::import_wisdom(file.c_str());
  GridPlans<T> const plans = make_plans<T>(g);
  // A cache that cannot be written only means that the next process measures again.
  replace_in_user_folder(Fftw<T>::wisdom,
                         [](auto const& path) { return Fftw<T>::export_wisdom(path.c_str()) != 0; });
  return known.emplace(key, plans).first->second;
}

template GridPlans<double> const& grid_plans<double>(Grid const&);
template GridPlans<float> const& grid_plans<float>(Grid const&);

}  // namespace nearfar
