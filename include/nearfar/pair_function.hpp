// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/direct.hpp>

#include <cmath>
#include <concepts>
#include <cstddef>
#include <memory>

namespace nearfar {

/// A user's pair function: what one source adds to one target, for example
///
///     struct Potential {
///       static constexpr int dimensions = 3, strengths = 1, results = 1;  // numbers per point, at most 16
///       template <class V>
///       void operator()(V const* r, V r2, V inverse, V const* q, V* u) const { u[0] = u[0] + q[0] * inverse; }
///     };
///
/// with r = target - source, r2 its square, inverse = 1 / |r|. It must be linear in the strengths, and is never called
/// with r = 0. V is double, long double or, in the variants of docs/laboratory.md, float or a SIMD batch; so call sqrt,
/// exp and log as `using std::sqrt; sqrt(r2)`.
template <class F>
concept PairFunction = std::copyable<F> && F::dimensions == 3 && F::strengths >= 1 && F::results >= 1 &&
                       F::results <= 16 && F::strengths <= 16 &&
                       requires(F const& function, long double const* in, long double* out) {
  function(in, *in, *in, in, out);
};

namespace detail {

/// A user's pair function in the form that tasks call.
struct PairSum {
  int strengths = 0, results = 0;
  std::shared_ptr<void const> function{};
  /// Adds the contributions of all sources (rows of 3) to one target.
  void (*add)(void const* function, double const* sources, double const* strengths, std::size_t count,
              double const* target, long double* sums) = nullptr;
};

template <PairFunction F>
void add_pairs(void const* function, double const* sources, double const* strengths, std::size_t count,
               double const* target, long double* sums) {
  F const& f = *static_cast<F const*>(function);
  for (std::size_t j = 0; j < count; ++j) {
    long double r[3], r2 = 0, strength[F::strengths];
    for (std::size_t d = 0; d < 3; ++d) {
      r[d] = static_cast<long double>(target[d]) - sources[3 * j + d];
      r2 += r[d] * r[d];
    }
    if (!(r2 > 0)) continue;
    for (std::size_t m = 0; m < std::size_t(F::strengths); ++m) strength[m] = strengths[j * F::strengths + m];
    f(r, r2, 1 / std::sqrt(r2), strength, sums);
  }
}

Solve direct(Runtime const& runtime, PairSum const& sum, std::span<double const> sources,
             std::span<double const> targets, std::span<double const> strengths, std::span<double> result);

}  // namespace detail

/// The O(N^2) sum in free space of a user's function; rows, spans, errors and ranks as for a Kernel.
template <PairFunction F>
Solve direct(Runtime const& runtime, F const& function, std::span<double const> sources,
             std::span<double const> targets, std::span<double const> strengths, std::span<double> result) {
  return detail::direct(runtime, {F::strengths, F::results, std::make_shared<F>(function), detail::add_pairs<F>},
                        sources, targets, strengths, result);
}

}  // namespace nearfar
