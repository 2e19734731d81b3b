// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check/virial_error.hpp"

#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/force.hpp"
#include "core/kernels/virial.hpp"
#include "tasks/check/sample.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace nearfar::detail {

template <class T>
ForceErrors sampled_force_errors(Kernel kernel, Outputs outputs, std::vector<std::uint32_t> const& targets,
                                 std::int64_t stride, std::span<double const> exact,
                                 GivenArrays<T const> const& strengths, GivenArrays<T const> const& result,
                                 std::size_t first) {
  ForceErrors errors;
  visit_kernel(kernel, outputs, [&](auto of) {
    using K = decltype(of);
    if constexpr (has_virial<K>) {
      if (asked_results(describe<K>(), outputs).numbers != K::results) return;
      constexpr EnergyStrengths at = energy_strengths(K::strength_fields);
      std::size_t const rows = result.size() / K::results;
      std::vector<std::uint32_t> here;
      std::vector<std::size_t> number;
      for (std::size_t i = 0; i < targets.size(); ++i)
        if (targets[i] >= first && targets[i] - first < rows) {
          here.push_back(std::uint32_t(targets[i] - first));
          number.push_back(i);
        }
      auto const q = rows_on_host<T>(strengths, K::strengths, here), u = rows_on_host<T>(result, K::results, here);
      for (std::size_t i = 0; i < here.size(); ++i) {
        auto const strength = [&](int c) { return double(q[i * K::strengths + std::size_t(c)]); };
        auto const found = [&](int c) { return double(u[i * K::results + std::size_t(c)]); };
        auto const expected = [&](int c) { return exact[std::size_t(c) * std::size_t(stride) + number[i]]; };
        long double wrong = 0;
        for (int a = 0; a < 3; ++a) {
          long double const force = force_along<double>(at, a, strength, found),
                            off = force - force_along<double>(at, a, strength, expected);
          errors.forces += force * force;
          wrong += off * off;
        }
        errors.wrong += wrong;
        errors.squares += wrong * wrong;
      }
    }
  });
  return errors;
}

double virial_error(ForceErrors const& errors, std::size_t sampled, std::size_t points, double lever,
                    std::span<long double const> energy) {
  constexpr long double of_rounding = 100 * std::numeric_limits<double>::epsilon();
  if (errors.wrong <= of_rounding * of_rounding * errors.forces) return 0;
  long double largest = 0;
  for (long double const component : energy.subspan(1)) largest = std::max(largest, std::abs(component));
  if (largest == 0) return 1;
  // So many errors that each are a third of these along an axis, times the lever.
  std::array const sums{errors.wrong, errors.squares, 3 * largest * largest / (lever * lever)};
  return std::min(1.0, sampled_error(sums, sampled, points));
}

#define NEARFAR_INSTANTIATE(T)                                                                                    \
  template ForceErrors sampled_force_errors(Kernel, Outputs, std::vector<std::uint32_t> const&, std::int64_t,     \
                                            std::span<double const>, GivenArrays<T const> const&,                 \
                                            GivenArrays<T const> const&, std::size_t);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
