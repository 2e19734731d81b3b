// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/influence/lines.hpp"

#include "codelets/spectral/transform/cpu_transform.hpp"
#include "codelets/spectral/transform/plan_cache.hpp"

#include <algorithm>

namespace nearfar {

namespace {

using Complex = std::complex<double>;

CpuTransform<double> make_plan(int n) {
  TransformShape::Side const side{{1, n}, column_batch, 1};
  TransformPlanning<double> const planning;
  return {planning, {false, 1, {1, n}, side, side, column_batch}, Direction::forward, {.in_place = true}};
}

CpuTransform<double> const& plan_of(int n) {
  static auto& cache = *new PlanCache<CpuTransform<double>>;
  return cache.get({n}, [n] { return make_plan(n); });
}

/// Completes sequences of n points from their first n / 2 + 1 and transforms them. The modes of even lines are real;
/// the first `kept` ones of odd lines are -i times real, and are multiplied by i.
void transform(int n, bool odd, int kept, Complex* lines) {
  auto const place = [&](int i) { return lines + std::int64_t(i) * column_batch; };
  if (odd) {
    std::fill_n(place(0), column_batch, Complex());
    std::fill_n(place(n / 2), column_batch, Complex());
  }
  for (int i = 1; 2 * i < n; ++i)
    std::transform(place(i), place(i + 1), place(n - i), [odd](Complex value) { return odd ? -value : value; });
  plan_of(n)(lines);
  if (odd)
    std::transform(lines, place(kept), lines, [](Complex value) { return Complex(-value.imag(), value.real()); });
}

}  // namespace

void prepare_line_plans(InfluenceFunction const& f) {
  for (InfluenceAxis const& axis : f.axis)
    for (int n : {axis.cut, axis.transform()}) plan_of(n);
}

std::int64_t line_scratch(InfluenceFunction const& f) {
  int longest = 0;
  for (InfluenceAxis const& axis : f.axis) longest = std::max({longest, axis.cut, axis.transform()});
  return std::int64_t(longest) * line_batch;
}

void map_lines(InfluenceAxis const& axis, bool odd, double* lines) {
  auto* const columns = reinterpret_cast<Complex*>(lines);
  transform(axis.cut, odd, axis.modes(), columns);
  transform(axis.transform(), odd, axis.modes(), columns);
}

}  // namespace nearfar
