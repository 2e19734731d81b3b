// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/influence/lines.hpp"

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
using Complex = std::complex<double>;

F::Plan make_plan(int n) {
  struct Release {
    void operator()(void* p) const { F::release(p); }
  };
  std::unique_ptr<void, Release> const memory(F::allocate(std::size_t(n) * column_batch * sizeof(Complex)));
  if (!memory) throw std::bad_alloc();
  auto* const lines = static_cast<F::Complex*>(memory.get());
  FftwPlanning<double> const planning;
  F::Plan const plan = F::many_complex(1, &n, column_batch, lines, &n, column_batch, 1, lines, &n, column_batch, 1,
                                       FFTW_FORWARD, FFTW_MEASURE);
  if (!plan) throw Error(Fault::bug, "FFTW made no plan for lines of " + std::to_string(n) + " points");
  return plan;
}

F::Plan plan_of(int n) {
  static auto& cache = *new PlanCache<F::Plan>;
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
  auto* const all = reinterpret_cast<F::Complex*>(lines);
  F::complex(plan_of(n), all, all);
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
