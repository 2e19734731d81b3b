// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/check/virial_error.hpp"

#include "core/kernels/description/description.hpp"
#include "core/kernels/pairs/force.hpp"
#include "core/kernels/virial.hpp"
#include "tasks/engine/runtime/gpu_workers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace nearfar::detail {

namespace {

/// The places of a sample, counted from their mean.
template <class T>
std::array<double, 3> mean_place(CheckSample<T> const& sample) {
  std::array<double, 3> mean{};
  std::size_t const size = sample.targets().size();
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t d = 0; d < 3; ++d) mean[d] += sample.sample().weight(i) * sample.at(i, d) / double(size);
  return mean;
}

}  // namespace

template <class T>
ForceErrors sampled_force_errors(Kernel kernel, Outputs outputs, CheckSample<T> const& sample,
                                 std::span<double const> exact, GivenArrays<T const> const& strengths,
                                 GivenArrays<T const> const& result, std::size_t first) {
  ForceErrors errors;
  visit_kernel(kernel, outputs, [&](auto of) {
    using K = decltype(of);
    if constexpr (has_virial<K>) {
      if (asked_results(describe<K>(), outputs).numbers != K::results) return;
      constexpr EnergyStrengths at = energy_strengths(K::strength_fields);
      std::size_t const rows = result.size() / K::results;
      auto const& targets = sample.targets();
      auto const mean = mean_place(sample);
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
        auto const expected = [&](int c) { return exact[std::size_t(c) * std::size_t(sample.stride()) + number[i]]; };
        long double const weight = sample.sample().weight(number[i]);
        long double square = 0;
        for (std::size_t a = 0; a < 3; ++a) {
          long double const force = force_along<double>(at, int(a), strength, found),
                            wrong = force - force_along<double>(at, int(a), strength, expected);
          errors.forces() += weight * force * force;
          square += weight * wrong * wrong;
          for (std::size_t b = 0; b < 3; ++b) {
            long double const product = weight * wrong * (sample.at(number[i], b) - mean[b]);
            errors.product(a, b) += product;
            errors.product_square(a, b) += product * product;
          }
        }
        errors.wrong() += square;
        errors.squares() += square * square;
      }
    }
  });
  return errors;
}

double virial_error(ForceErrors errors, std::size_t sampled, std::size_t points, double lever, double unit,
                    std::span<long double const> energy) {
  constexpr long double of_rounding = 100 * std::numeric_limits<double>::epsilon(), deviations = 3;
  if (errors.wrong() <= of_rounding * of_rounding * errors.forces()) return 0;
  long double largest = 0, together = 0;
  for (long double const component : energy.subspan(1)) largest = std::max(largest, std::abs(component));
  if (largest == 0) return 1;
  for (std::size_t a = 0; a < 3; ++a)
    for (std::size_t b = 0; b < 3; ++b) {
      long double const sum = errors.product(a, b);
      if (sum * sum > deviations * deviations * errors.product_square(a, b))
        together = std::max(together, std::abs(sum) * unit * points / sampled);
    }
  // So many errors that each are a third of these along an axis, times the lever.
  std::array const sums{errors.wrong(), errors.squares(), 3 * largest * largest / (lever * lever)};
  return std::min(1.0, std::hypot(of_one_number * sampled_error(sums, sampled, points), double(together / largest)));
}

#define NEARFAR_INSTANTIATE(T)                                                                               \
  template ForceErrors sampled_force_errors(Kernel, Outputs, CheckSample<T> const&, std::span<double const>, \
                                            GivenArrays<T const> const&, GivenArrays<T const> const&, std::size_t);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
