// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/spectral/fft/column_plan.hpp"

#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/spectral/transform/plan_cache.hpp"
#include "core/math/constants.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace nearfar {

namespace {

/// Factors of the length among the radices that the kernel has: as few as possible, then as equal as possible, the
/// largest last. Empty if there is no such factorization.
std::vector<int> radices_of(int length, int largest = 9) {
  std::vector<int> best;
  if (length == 1) return best;
  for (int radix = std::min(largest, length); radix > 1; --radix) {
    if (length % radix != 0) continue;
    std::vector<int> rest = radices_of(length / radix, radix);
    if (rest.empty() && radix < length) continue;
    rest.push_back(radix);
    if (best.empty() || rest.size() < best.size() || (rest.size() == best.size() && radix < best.back())) best = rest;
  }
  return best;
}

template <class Number>
Number const* on_gpu(std::vector<Number> const& numbers) {
  void* memory = nullptr;
  gpu_expect(gpu_malloc_kept(&memory, numbers.size() * sizeof(Number)), "no memory for the roots of a transform");
  gpu_expect(gpu_upload(memory, numbers.data(), numbers.size() * sizeof(Number)), "roots were not copied");
  return static_cast<Number const*>(memory);
}

template <class T>
ColumnPlan<T> make_plan(int length) {
  ColumnPlan<T> plan;
  std::vector<int> const radices = radices_of(length);
  plan.length = length;
  if (length > 1 << 13 || radices.empty() || int(radices.size()) > plan.most_stages) return plan;
  std::vector<GpuComplex<T>> roots;
  for (int j = 0; j < length; ++j) {
    double const angle = -2 * pi<double> * j / length;
    roots.push_back({T(std::cos(angle)), T(std::sin(angle))});
  }
  std::vector<std::uint16_t> place, mode_at(std::size_t(length), 0);
  for (int mode = 0; mode < length; ++mode) {
    int at = 0, rest = mode, span = length;
    for (int const radix : radices) {
      span /= radix;
      at += rest % radix * span;
      rest /= radix;
    }
    place.push_back(std::uint16_t(at));
    mode_at[std::size_t(at)] = std::uint16_t(mode);
  }
  int span = length;
  for (int const radix : radices) {
    plan.stage[plan.stages++] = {radix, span / radix, length / span, reciprocal_of(std::uint32_t(span / radix)),
                                 reciprocal_of(std::uint32_t(length / radix))};
    span /= radix;
  }
  plan.roots = on_gpu(roots);
  plan.place = on_gpu(place);
  plan.mode = on_gpu(mode_at);
  return plan;
}

}  // namespace

template <class T>
ColumnPlan<T> const& column_plan(int length) {
  static auto& cache = *new PlanCache<ColumnPlan<T>>;
  int device = 0;
  gpu_expect(gpu_device(&device), "no device for a transform");
  return cache.get({device, length}, [&] { return make_plan<T>(length); });
}

template ColumnPlan<double> const& column_plan(int);
template ColumnPlan<float> const& column_plan(int);

}  // namespace nearfar
