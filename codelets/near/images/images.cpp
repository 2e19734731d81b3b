// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/images/images.hpp"

#include "codelets/common/names.hpp"
#include "codelets/common/simd/simd.hpp"
#include "codelets/near/images/images_buffers.hpp"
#include "codelets/near/images/images_simd.hpp"
#include "core/kernels/pairs/force_kernels.hpp"

#include <algorithm>

namespace nearfar {

template <class T, class K, class A>
char const* Images<T, K, A>::symbol() {
  static std::string const s = model_symbol<T>(sizeof(A) < sizeof(T) ? "images_in_single" : "images", K::symbol);
  return s.c_str();
}

template <class T, class K, class A>
void Images<T, K, A>::portable(Buffers const& buffers, Args const& args) {
  ImagesBuffers<T, A> const b(buffers);
  A const* const own = b.source(args.own).packed;
  double sum[image_sums] = {};
  for_each_image_cell(b, args, [&](int first, int last, std::vector<ImageRun<T, A>> const& runs) {
    for (int t = first; t < last; ++t) {
      T const x[3] = {b.target[t], b.target[b.stride + t], b.target[2 * b.stride + t]};
      A const* const record = own + std::int64_t(t) * PackedSource<T, A>::width(K::strengths);
      for (auto const& run : runs)
        add_image_run<K>(b.tables->near, x, record, run.source, run.first, run.last, run.shift, sum);
    }
  });
  std::copy_n(sum, image_sums, b.sums);
}

template <class T, class K, class A>
void Images<T, K, A>::tuned(Buffers const& buffers, Args const& args) {
  ImagesBuffers<T, A> const b(buffers);
  simd_dispatch([&](auto arch) { images_simd<decltype(arch), T, K, A>(b, args); });
}

#define NEARFAR_INSTANTIATE(T, A, K) template struct Images<T, K, A>;
NEARFAR_EACH_FORCE_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar
