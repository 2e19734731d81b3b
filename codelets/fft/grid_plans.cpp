// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fft/grid_plans.hpp"

#include "core/user_folder.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <shared_mutex>
#include <vector>

namespace nearfar {

namespace {

// FFTW's planner is not thread-safe, whatever the precision: one lock for all of it.
std::mutex planner;

/// Lengths of the transforms of columns, along x and, by rows, along y.
std::set<int> column_lengths(Grid const& g) {
  std::set<int> lengths;
  for (int p = 0; p < g.paddings; ++p) {
    lengths.insert(g.padding[p].size[0]);
    if (by_rows(g)) lengths.insert(g.padding[p].size[1]);
  }
  return lengths;
}

template <class T>
GridPlans<T> make_plans(Grid const& g) {
  using F = Fftw<T>;
  using Complex = typename F::Complex;
  struct Release {
    void operator()(void* p) const { F::release(p); }
  };
  auto buffer = [](std::size_t bytes) { return std::unique_ptr<void, Release>(F::allocate(bytes)); };
  PlaneScratch const scratch(g);
  auto const real = buffer(std::size_t(g.plane_size()) * sizeof(T));
  auto const modes = buffer(std::size_t(scratch.size) * sizeof(Complex));
  auto const columns = buffer(std::size_t(column_scratch(g)) * sizeof(Complex));
  if (!real || !modes || !columns) throw std::bad_alloc();
  auto* r = static_cast<T*>(real.get());
  auto* m = static_cast<Complex*>(modes.get());
  auto* c = static_cast<Complex*>(columns.get());
  unsigned const how = FFTW_MEASURE;
  GridPlans<T> plans{};
  if (!by_rows(g)) {
    int const plane[2] = {g.size[1], g.size[2]};
    int const with_halo[2] = {g.rows(), g.row_length()};
    int const half[2] = {g.size[1], g.modes_z()};
    plans.forward_plane = F::many_forward(2, plane, 1, r, with_halo, 1, 0, m, half, 1, 0, how | FFTW_PRESERVE_INPUT);
    plans.inverse_plane = F::many_inverse(2, plane, 1, m, half, 1, 0, r, with_halo, 1, 0, how | FFTW_DESTROY_INPUT);
  } else {
    // Rows of the plane at once where they need no zeros, else one by one by way of a padded row.
    int const n[1] = {g.row_transform()}, rows = g.free == 2 ? g.size[1] : 1;
    int const between = g.row_length(), stride = int(scratch.row_stride);
    T* const from = g.free == 2 ? r : reinterpret_cast<T*>(m + scratch.row);
    Complex* const to = m + scratch.row_modes;
    plans.forward_plane = F::many_forward(1, n, rows, from, n, 1, between, to, n, 1, stride, how | FFTW_PRESERVE_INPUT);
    plans.inverse_plane = F::many_inverse(1, n, rows, to, n, 1, stride, from, n, 1, between, how | FFTW_DESTROY_INPUT);
  }
  bool made = plans.forward_plane && plans.inverse_plane;
  for (int n : column_lengths(g)) {
    int const length[1] = {n};
    auto const plan = [&](int sign) {
      return F::many_complex(1, length, column_batch, c, length, column_batch, 1, c, length, column_batch, 1, sign,
                             how);
    };
    auto const [at, fresh] = plans.columns.emplace(n, ColumnPlan<T>{plan(FFTW_FORWARD), plan(FFTW_BACKWARD)});
    made = made && at->second.forward && at->second.inverse;
  }
  if (!made)
    throw Error(Fault::bug, "FFTW made no plan for a grid of " + std::to_string(g.size[0]) + " x " +
                                std::to_string(g.size[1]) + " x " + std::to_string(g.size[2]) + " points");
  return plans;
}

}  // namespace

namespace {

int longest_column(Grid const& g) {
  int longest = 1;
  for (int p = 0; p < g.paddings; ++p)
    longest = std::max({longest, g.padding[p].size[0], by_rows(g) ? g.padding[p].size[1] : 1});
  return longest;
}

}  // namespace

PlaneScratch::PlaneScratch(Grid const& g) {
  auto const whole_lines = [](std::int64_t n) { return (n + 15) / 16 * 16; };
  row_modes = whole_lines(g.column_count());
  size = row_modes;
  if (!by_rows(g)) return;
  row_stride = whole_lines(g.modes_z());
  batch = row_modes + row_stride * g.size[1];
  row = batch + std::int64_t(longest_column(g)) * column_batch;
  size = row + row_stride;
}

std::int64_t column_scratch(Grid const& g) { return std::int64_t(longest_column(g)) * column_batch; }

template <class T>
GridPlans<T> const& grid_plans(Grid const& g) {
  static std::shared_mutex mutex;
  // Never destroyed, as FFTW's plans are not: solves may be in flight at the end of main.
  static auto& known = *new std::map<std::vector<int>, GridPlans<T>>;
  std::vector<int> key{g.size[0], g.size[1], g.size[2], g.window, g.free, g.row_padding};
  for (int p = 0; p < g.paddings; ++p) key.insert(key.end(), g.padding[p].size, g.padding[p].size + 2);
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
  replace_in_user_folder(Fftw<T>::wisdom, [](auto const& path) { return Fftw<T>::export_wisdom(path.c_str()) != 0; });
  return known.emplace(std::move(key), plans).first->second;
}

template GridPlans<double> const& grid_plans<double>(Grid const&);
template GridPlans<float> const& grid_plans<float>(Grid const&);

}  // namespace nearfar
