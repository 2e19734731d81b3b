// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/green/cosine.hpp"

#include "codelets/spectral/transform/cpu_transform.hpp"
#include "codelets/spectral/transform/plan_cache.hpp"

#include <algorithm>

namespace nearfar {

namespace {

/// Transforms of even real sequences of n points, given by their first n / 2 + 1.
struct CosinePlan {
  CosineTransform cosine;      ///< in place
  CpuTransform<double> whole;  ///< of all n points, real to complex; the modes follow the points
};

/// From this length on plans are made by rule: measuring takes FFTW a minute to find one for 47628 points that
/// takes 9 ms instead of 37 for a batch, of which a grid so long has few.
constexpr int long_sequence = 8192;

std::int64_t whole_points(int n) { return std::int64_t(n) * column_batch; }
std::int64_t half_points(int n) { return std::int64_t(n / 2 + 1) * column_batch; }

CosinePlan make_plan(int n) {
  bool const measured = n <= long_sequence;
  TransformShape const shape{true,        1, {1, n}, {{1, n}, column_batch, 1}, {{1, n / 2 + 1}, column_batch, 1},
                             column_batch};
  TransformPlanning<double> const planning;
  return {{planning, n / 2 + 1, column_batch, measured}, {planning, shape, Direction::forward, {.measured = measured}}};
}

CosinePlan const& plan_of(int n) {
  static auto& cache = *new PlanCache<CosinePlan>;
  return cache.get({n}, [n] { return make_plan(n); });
}

int longest(GreenAxis const& axis) { return std::max({2, axis.transform(), axis.cut}); }

int longest(GreenFunction const& green) {
  return std::max({longest(green.axis[0]), longest(green.axis[1]), longest(green.axis[2])});
}

void transform(PoissonMethod method, int n, double* batch, double* scratch) {
  CosinePlan const& plan = plan_of(n);
  if (method != PoissonMethod::vico) {
    plan.cosine(batch);
    return;
  }
  std::copy_n(batch, half_points(n), scratch);
  for (int i = n / 2 + 1; i < n; ++i)
    std::copy_n(batch + std::int64_t(n - i) * column_batch, column_batch, scratch + std::int64_t(i) * column_batch);
  double* const modes = scratch + whole_points(n);
  plan.whole(scratch, modes);
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

void clear_axis(GreenFunction const& green, int axis, double* batch) {
  std::fill_n(batch, half_points(longest(green.axis[axis])), 0.0);
}

void map_axis(GreenFunction const& green, int axis, double* batch, double* scratch) {
  GreenAxis const& a = green.axis[axis];
  if (!a.open) return;
  if (a.cut > 0) transform(green.method, a.cut, batch, scratch);
  transform(green.method, a.transform(), batch, scratch);
}

}  // namespace nearfar
