// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Only for the *_simd.cpp files, each compiled once per instruction set with NEARFAR_SIMD_TAG naming it. They call no
// inline function of the standard library, so no code for a newer machine can leak into the rest of the program.

#include "codelets/simd.hpp"

#include <xsimd/xsimd.hpp>

namespace nearfar {

template <class Tag>
struct ArchOf;
template <>
struct ArchOf<Baseline> {
  using type = xsimd::sse2;
};
#if defined(__AVX2__) && defined(__FMA__)
template <>
struct ArchOf<Avx2> {
  using type = xsimd::fma3<xsimd::avx2>;
};
#endif
#if defined(__AVX512BW__)
template <>
struct ArchOf<Avx512> {
  using type = xsimd::avx512bw;
};
#endif

template <class T, class Tag>
using Batch = xsimd::batch<T, typename ArchOf<Tag>::type>;

/// The lanes that are set, as bits.
template <class T, class A>
[[gnu::always_inline]] inline unsigned bits_of(xsimd::batch_bool<T, A> mask) {
  bool lane[xsimd::batch<T, A>::size];
  mask.store_unaligned(lane);
  unsigned bits = 0;
  for (unsigned i = 0; i < xsimd::batch<T, A>::size; ++i) bits |= unsigned(lane[i]) << i;
  return bits;
}
#if defined(__AVX512BW__)
template <class T>
[[gnu::always_inline]] inline unsigned bits_of(xsimd::batch_bool<T, xsimd::avx512bw> mask) {
  return unsigned(mask.data);
}
#elif defined(__AVX2__)
[[gnu::always_inline]] inline unsigned bits_of(xsimd::batch_bool<double, xsimd::fma3<xsimd::avx2> > mask) {
  return unsigned(_mm256_movemask_pd(mask));
}
[[gnu::always_inline]] inline unsigned bits_of(xsimd::batch_bool<float, xsimd::fma3<xsimd::avx2> > mask) {
  return unsigned(_mm256_movemask_ps(mask));
}
#endif

/// Stores the lanes that are set one after the other; what lies behind them may be overwritten, up to a whole vector.
template <class T, class A>
[[gnu::always_inline]] inline void pack(unsigned bits, xsimd::batch<T, A> value, T* out) {
  alignas(64) T lane[xsimd::batch<T, A>::size];
  value.store_aligned(lane);
  for (; bits != 0; bits &= bits - 1) *out++ = lane[__builtin_ctz(bits)];
}
#if defined(__AVX512BW__)
[[gnu::always_inline]] inline void pack(unsigned bits, xsimd::batch<double, xsimd::avx512bw> value, double* out) {
  _mm512_storeu_pd(out, _mm512_maskz_compress_pd(__mmask8(bits), value));
}
[[gnu::always_inline]] inline void pack(unsigned bits, xsimd::batch<float, xsimd::avx512bw> value, float* out) {
  _mm512_storeu_ps(out, _mm512_maskz_compress_ps(__mmask16(bits), value));
}
#elif defined(__AVX2__)
/// Which halves of doubles go where, for each pattern of four lanes.
struct PackOrder {
  alignas(32) int half[16][8] = {};
  constexpr PackOrder() {
    for (int bits = 0; bits < 16; ++bits)
      for (int lane = 0, to = 0; lane < 4; ++lane)
        if (bits >> lane & 1) {
          half[bits][to++] = 2 * lane;
          half[bits][to++] = 2 * lane + 1;
        }
  }
};
inline constexpr PackOrder pack_order;
[[gnu::always_inline]] inline void pack(unsigned bits, xsimd::batch<double, xsimd::fma3<xsimd::avx2> > value,
                                        double* out) {
  __m256i const order = _mm256_load_si256(reinterpret_cast<__m256i const*>(pack_order.half[bits]));
  _mm256_storeu_pd(out, _mm256_castsi256_pd(_mm256_permutevar8x32_epi32(_mm256_castpd_si256(value), order)));
}
#endif

/// 1 / sqrt(x) to within two units in the last place, x > 0.
template <class T, class A>
inline xsimd::batch<T, A> inverse_sqrt(xsimd::batch<T, A> x) {
  return xsimd::batch<T, A>(T(1)) / xsimd::sqrt(x);
}
#if defined(__AVX512BW__)
// The estimate has 14 bits; each Newton step doubles them.
inline xsimd::batch<double, xsimd::avx512bw> inverse_sqrt(xsimd::batch<double, xsimd::avx512bw> x) {
  using V = xsimd::batch<double, xsimd::avx512bw>;
  V y = _mm512_rsqrt14_pd(x);
  V const half = x * V(0.5);
  y = y * (V(1.5) - half * y * y);
  return y * (V(1.5) - half * y * y);
}
inline xsimd::batch<float, xsimd::avx512bw> inverse_sqrt(xsimd::batch<float, xsimd::avx512bw> x) {
  using V = xsimd::batch<float, xsimd::avx512bw>;
  V const y = _mm512_rsqrt14_ps(x);
  return y * (V(1.5f) - x * V(0.5f) * y * y);
}
#endif

}  // namespace nearfar
