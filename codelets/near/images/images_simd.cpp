// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/images/images_simd.hpp"

#include "codelets/near/simd_packed.hpp"
#include "core/kernels/pairs/force_kernels.hpp"

namespace nearfar {

namespace {

/// Images of sources near a target, a vector at a time.
template <class V, class T, class K, class A>
struct FoundImages {
  using Pair = typename K::Near;
  using Packed = PackedSource<T, A>;
  using Rough = xsimd::batch<float, typename V::arch_type>;
  static constexpr int lanes = int(V::size), read = Packed::read(K::strengths);
  NearKernel<T> const& near;
  A const* record[lanes];
  alignas(64) T shift[3][lanes] = {};
  T x[3] = {};  ///< of the target
  V own[K::strengths], sum[image_sums];
  int found = 0;

  explicit FoundImages(NearKernel<T> const& kernel) : near(kernel) {
    for (V& s : sum) s = V(T(0));
  }

  /// Takes those sources of a run that are near by their rough positions; `limit` has a margin for rounding.
  [[gnu::always_inline]] inline void look_around(ImageRun<T, A> const& run, Rough limit) {
    Rough from[3];
    for (int d = 0; d < 3; ++d) from[d] = Rough(float(x[d] - run.shift[d]));
    for (int j = run.first; j < run.last; j += int(Rough::size)) {
      Rough square(0.f);
      for (int d = 0; d < 3; ++d) {
        Rough const at = Rough::load_unaligned(run.source.rough + d * run.source.stride + j) - from[d];
        square = square + at * at;
      }
      int const rest = run.last - j;  // lanes past the end of the run hold points of the next one
      unsigned const in_run = rest < int(Rough::size) ? (1u << rest) - 1 : ~0u;
      for (unsigned bits = bits_of(square < limit) & in_run; bits != 0; bits &= bits - 1) {
        record[found] = run.source.packed + std::int64_t(j + __builtin_ctz(bits)) * Packed::width(K::strengths);
        for (int d = 0; d < 3; ++d) shift[d][found] = run.shift[d];
        if (++found == lanes) add();
      }
    }
  }

  /// Sums those found; lanes past the last have no shift.
  void add() {
    constexpr EnergyStrengths at = energy_strengths_of<K>;
    for (; found < lanes; ++found) {
      record[found] = record[0];
      for (auto& along : shift) along[found] = T(0);
    }
    found = 0;
    V place[3], of_source[K::strengths], u[K::results], factor[1][Pair::factor_count], inverse[1], r2[1];
    take_sources(place, of_source);
    for (int d = 0; d < 3; ++d) place[d] = V(x[d]) - V::load_aligned(shift[d]) - place[d];
    for (V& result : u) result = V(T(0));
    r2[0] = place[0] * place[0] + place[1] * place[1] + place[2] * place[2];
    V const zero(T(0));
    auto const within = r2[0] < V(near.cutoff_squared);
    inverse[0] = xsimd::select(r2[0] > zero, inverse_sqrt(r2[0]), zero);
    near_factors<Pair, 1>(near, r2, inverse, factor);
    for (V& f : factor[0]) f = xsimd::select(within, f, zero);
    Pair::add(factor[0], place[0], place[1], place[2], of_source, u);
    for (int a = 0; a < 3; ++a) {
      V const force = force_along<V>(
          at, a, [&](int c) { return own[c]; }, [&](int m) { return u[m]; });
      for (int b = 0; b < 3; ++b) sum[3 * a + b] = sum[3 * a + b] + force * V::load_aligned(shift[b]);
    }
  }

 private:
  /// Positions and strengths of the sources found.
  [[gnu::always_inline]] inline void take_sources(V* position, V* strength) const {
    if constexpr (Packed::in_parts) {
      alignas(64) T number[3 + K::strengths][lanes];
      for (int i = 0; i < lanes; ++i) {
        for (int d = 0; d < 3; ++d) number[d][i] = Packed::position(record[i], K::strengths, d);
        for (int c = 0; c < K::strengths; ++c) number[3 + c][i] = T(record[i][Packed::first_strength + c]);
      }
      for (int d = 0; d < 3; ++d) position[d] = V::load_aligned(number[d]);
      for (int c = 0; c < K::strengths; ++c) strength[c] = V::load_aligned(number[3 + c]);
    } else {
      V column[read];
      for (int c = 0; c < read; c += 4) load_columns(record, c, column + c);
      for (int d = 0; d < 3; ++d) position[d] = column[d];
      for (int c = 0; c < K::strengths; ++c) strength[c] = column[Packed::first_strength + c];
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
  typename Found::Rough const limit(rough_limit(args.cells));
  for_each_image_cell(b, args, [&](int first, int last, std::vector<ImageRun<T, A>> const& runs) {
    for (int t = first; t < last; ++t) {
      for (int d = 0; d < 3; ++d) images.x[d] = b.target[d * b.stride + t];
      A const* const record = own + std::int64_t(t) * Found::Packed::width(K::strengths);
      for (int c = 0; c < K::strengths; ++c) images.own[c] = V(T(record[Found::Packed::first_strength + c]));
      for (auto const& run : runs) images.look_around(run, limit);
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
