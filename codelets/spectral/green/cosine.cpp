// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/green/cosine.hpp"

#include "codelets/spectral/fft/fftw_plans.hpp"
#include "codelets/spectral/fft/plan_cache.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <memory>
#include <new>
#include <string>

namespace nearfar {

namespace {

using F = Fftw<double>;

/// Transforms of even real sequences of n points, given by their first n / 2 + 1.
struct CosinePlan {
  F::Plan cosine;  ///< in place
  F::Plan whole;   ///< of all n points, real to complex; the modes follow the points
};

/// From this length on plans are made by rule: FFTW measures for a minute to find one for 47628 points that takes 9 ms
/// instead of 37 for a batch, of which a grid so long has few.
constexpr int long_sequence = 8192;

std::int64_t whole_points(int n) { return std::int64_t(n) * column_batch; }
std::int64_t half_points(int n) { return std::int64_t(n / 2 + 1) * column_batch; }

CosinePlan make_plan(int n) {
  struct Release {
    void operator()(void* p) const { F::release(p); }
  };
  std::unique_ptr<void, Release> const memory(
      F::allocate(std::size_t(whole_points(n) + 2 * half_points(n)) * sizeof(double)));
  if (!memory) throw std::bad_alloc();
  auto* real = static_cast<double*>(memory.get());
  auto* modes = reinterpret_cast<F::Complex*>(real + whole_points(n));
  int const half[1] = {n / 2 + 1}, all[1] = {n};
  fftw_r2r_kind const kind[1] = {FFTW_REDFT00};
  unsigned const how = n > long_sequence ? FFTW_ESTIMATE : FFTW_MEASURE;
  FftwPlanning<double> const planning;
  CosinePlan const plan{
      fftw_plan_many_r2r(1, half, column_batch, real, half, column_batch, 1, real, half, column_batch, 1, kind, how),
      F::many_forward(1, all, column_batch, real, all, column_batch, 1, modes, half, column_batch, 1, how)};
  if (!plan.cosine || !plan.whole)
    throw Error(Fault::bug, "FFTW made no plan for even sequences of " + std::to_string(n) + " points");
  return plan;
}

CosinePlan const& plan_of(int n) {
  static auto& cache = *new PlanCache<CosinePlan>;
  return cache.get({n}, [n] { return make_plan(n); });
}

int longest(GreenFunction const& green) {
  int n = 2;
  for (auto const& axis : green.axis) n = std::max({n, axis.transform(), axis.cut});
  return n;
}

void transform(PoissonMethod method, int n, double* batch, double* scratch) {
  CosinePlan const& plan = plan_of(n);
  if (method != PoissonMethod::vico) {
    fftw_execute_r2r(plan.cosine, batch, batch);
    return;
  }
  std::copy_n(batch, half_points(n), scratch);
  for (int i = n / 2 + 1; i < n; ++i)
    std::copy_n(batch + std::int64_t(n - i) * column_batch, column_batch, scratch + std::int64_t(i) * column_batch);
  double* const modes = scratch + whole_points(n);
  F::forward(plan.whole, scratch, reinterpret_cast<F::Complex*>(modes));
  for (std::int64_t i = 0; i < half_points(n); ++i) batch[i] = modes[2 * i];
}

}  // namespace

void prepare_cosine_plans(GreenFunction const& green) {
  for (auto const& axis : green.axis) {
    if (!axis.open) continue;
    plan_of(axis.transform());
    if (axis.cut > 0) plan_of(axis.cut);
  }
}

std::int64_t cosine_scratch(GreenFunction const& green) {
  int const n = longest(green);
  return green.method == PoissonMethod::vico ? whole_points(n) + 2 * half_points(n) : 0;
}

std::int64_t cosine_batch(GreenFunction const& green) { return half_points(longest(green)); }

void map_axis(GreenFunction const& green, int axis, double* batch, double* scratch) {
  GreenAxis const& a = green.axis[axis];
  if (!a.open) return;
  if (a.cut > 0) transform(green.method, a.cut, batch, scratch);
  transform(green.method, a.transform(), batch, scratch);
}

}  // namespace nearfar
