// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/fmm_p2p/pair_sum.hpp"
#include "codelets/near/check/check.hpp"

namespace nearfar {

/// The buffers of a task by name.
template <class T>
struct CheckBuffers {
  double const* target;
  std::int64_t stride;
  std::int32_t const* count;
  double* sum;
  Buffers buffers;

  explicit CheckBuffers(Buffers const& b)
      : target(b.get<double const>(0)), stride(b.size<double>(0) / 3), count(b.get<std::int32_t const>(1)),
        sum(b.get<double>(3)), buffers(b) {}
  int blocks() const { return buffers.items<LeafSources>(2); }
};

/// Lanes hold targets; the stride is a whole number of batches. `inverse` as in PairSum.
template <class V, int Batches, class K, class T, class Inverse = InverseDistance<Lanes<V>>>
void check_sums(CheckBuffers<T> const& b, CheckArgs const& args, Inverse const& inverse = {}) {
  using Sum = PairSum<V, Batches, K>;
  int const targets = int(b.stride), n = args.images;
  for (int c = 0; c < args.vectors; ++c)
    for (int first = 0; first < targets; first += Sum::targets) {
      Sum all;
      all.begin(b.target, b.stride, first, targets);
      for (int k = 0; k < b.blocks(); ++k) {
        T const* const position = b.buffers.template get<T const>(2, k, &LeafSources::position);
        std::int64_t const stride = b.buffers.template size<T>(2, k, &LeafSources::position) / 3;
        T const* const strength =
            b.buffers.template get<T const>(2, k, &LeafSources::strengths) + c * std::int64_t(K::strengths) * stride;
        for (int x = -n; x <= n; ++x)
          for (int y = -n; y <= n; ++y)
            for (int z = -n; z <= n; ++z) {
              double const shift[3] = {args.edge * args.aspect[0] * x, args.edge * args.aspect[1] * y,
                                       args.edge * args.aspect[2] * z};
              all.add(position, strength, stride, 0, b.count[k], shift, inverse);
            }
      }
      all.put(b.sum + c * std::int64_t(K::results) * b.stride, b.stride, first, targets);
    }
}

}  // namespace nearfar
