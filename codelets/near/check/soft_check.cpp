// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/check/soft_check.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/portable.hpp"
#include "codelets/common/simd/lanes.hpp"
#include "codelets/near/check/check_body.hpp"
#include "core/kernels/pairs/softened.hpp"

namespace nearfar {

template <class T, class K>
char const* SoftCheck<T, K>::symbol() {
  static std::string const s = model_symbol<T>("soft_check", K::symbol);
  return s.c_str();
}

template <class T, class K>
void SoftCheck<T, K>::portable(Buffers const& buffers, Args const& args) {
  using L = Lanes<double>;
  CheckBuffers<T> const b(buffers);
  portable_for(int(b.stride), [&](int i) {
    for (int c = 0; c < args.vectors; ++c) {
      double sum[K::results] = {};
      for (int k = 0; k < b.blocks(); ++k) {
        T const* const position = b.buffers.template get<T const>(2, k, &LeafSources::position);
        std::int64_t const stride = b.buffers.template size<T>(2, k, &LeafSources::position) / 3;
        T const* const strength =
            b.buffers.template get<T const>(2, k, &LeafSources::strengths) + c * std::int64_t(K::strengths) * stride;
        for (int j = 0; j < b.count[k]; ++j) {
          double r[3], q[K::strengths];
          for (int d = 0; d < 3; ++d) r[d] = b.target[d * b.stride + i] - double(position[d * stride + j]);
          for (int m = 0; m < K::strengths; ++m) q[m] = double(strength[m * stride + j]);
          double const inverse = L::inverse_root(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
          K::Bare::add(softened<L>(inverse, args.softening_squared), r[0], r[1], r[2], q, sum);
        }
      }
      for (int m = 0; m < K::results; ++m) b.sum[(c * K::results + m) * b.stride + i] = sum[m];
    }
  });
}

#define NEARFAR_INSTANTIATE(T, K) template struct SoftCheck<T, K>;
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, double)
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE, float)

}  // namespace nearfar
