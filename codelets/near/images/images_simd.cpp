// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/images/images_simd.hpp"

#include "codelets/near/simd_packed.hpp"
#include "core/kernels/pairs/force_kernels.hpp"

namespace nearfar {

namespace {

/// Sources within the cutoff of a target, a vector at a time.
template <class V, class T, class K, class A>
struct FoundImages {
  using Pair = typename K::Near;
  using Packed = PackedSource<T, A>;
  static constexpr int lanes = int(V::size);
  NearKernel<T> const& near;
  alignas(64) T r[3][lanes] = {}, shift[3][lanes] = {}, strength[K::strengths][lanes] = {};
  V own[K::strengths], sum[image_sums];
  int found = 0;

  explicit FoundImages(NearKernel<T> const& kernel) : near(kernel) {
    for (V& s : sum) s = V(T(0));
  }

  [[gnu::always_inline]] inline void look(T const* x, ImageRun<T, A> const& run, int j) {
    A const* const record = run.source.packed + std::int64_t(j) * Packed::width(K::strengths);
    T at[3], square = 0;
    for (int d = 0; d < 3; ++d) {
      at[d] = x[d] - run.shift[d] - Packed::position(record, K::strengths, d);
      square += at[d] * at[d];
    }
    if (square >= near.cutoff_squared) return;
    for (int d = 0; d < 3; ++d) {
      r[d][found] = at[d];
      shift[d][found] = run.shift[d];
    }
    for (int c = 0; c < K::strengths; ++c) strength[c][found] = T(record[Packed::first_strength + c]);
    if (++found == lanes) add();
  }

  /// Sums those found; lanes past the last have no shift.
  void add() {
    constexpr EnergyStrengths at = energy_strengths_of<K>;
    for (; found < lanes; ++found)
      for (auto& along : shift) along[found] = T(0);
    found = 0;
    V place[3], of_source[K::strengths], u[K::results], factor[1][Pair::factor_count], inverse[1], r2[1];
    for (int d = 0; d < 3; ++d) place[d] = V::load_aligned(r[d]);
    for (int c = 0; c < K::strengths; ++c) of_source[c] = V::load_aligned(strength[c]);
    for (V& result : u) result = V(T(0));
    r2[0] = place[0] * place[0] + place[1] * place[1] + place[2] * place[2];
    V const zero(T(0));
    inverse[0] = xsimd::select(r2[0] > zero, inverse_sqrt(r2[0]), zero);
    near_factors<Pair, 1>(near, r2, inverse, factor);
    Pair::add(factor[0], place[0], place[1], place[2], of_source, u);
    for (int a = 0; a < 3; ++a) {
      V const force = force_along<V>(
          at, a, [&](int c) { return own[c]; }, [&](int m) { return u[m]; });
      for (int b = 0; b < 3; ++b) sum[3 * a + b] = sum[3 * a + b] + force * V::load_aligned(shift[b]);
    }
  }
};

}  // namespace

template <class Tag, class T, class K, class A>
void images_simd(ImagesBuffers<T, A> const& b, P2PArgs const& args) {
  using V = Batch<T, Tag>;
  using Found = FoundImages<V, T, K, A>;
  A const* const own = b.source(args.own).packed;
  double total[image_sums] = {};
  Found images(b.tables->near);
  for_each_image_cell(b, args, [&](int first, int last, std::vector<ImageRun<T, A>> const& runs) {
    for (int t = first; t < last; ++t) {
      T const x[3] = {b.target[t], b.target[b.stride + t], b.target[2 * b.stride + t]};
      A const* const record = own + std::int64_t(t) * Found::Packed::width(K::strengths);
      for (int c = 0; c < K::strengths; ++c) images.own[c] = V(T(record[Found::Packed::first_strength + c]));
      for (auto const& run : runs)
        for (int j = run.first; j < run.last; ++j) images.look(x, run, j);
      if (images.found > 0) images.add();
    }
    for (int m = 0; m < image_sums; ++m) {
      alignas(64) T lane[Found::lanes];
      images.sum[m].store_aligned(lane);
      images.sum[m] = V(T(0));
      for (T const of_lane : lane) total[m] += double(of_lane);
    }
  });
  for (int m = 0; m < image_sums; ++m) b.sums[m] = total[m];
}

#define NEARFAR_INSTANTIATE(T, A, K) \
  template void images_simd<NEARFAR_SIMD_TAG, T, K, A>(ImagesBuffers<T, A> const&, P2PArgs const&);
NEARFAR_EACH_FORCE_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar
