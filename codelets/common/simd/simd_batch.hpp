// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Only for the *_simd.cpp files, each compiled once per instruction set with NEARFAR_SIMD_TAG naming it. They call no
// inline function of the standard library, so no code for a newer machine can leak into the rest of the program.

#include "codelets/common/simd/simd.hpp"

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

/// 1 / sqrt(x) to within two units in the last place, x > 0.
template <class T, class A>
inline xsimd::batch<T, A> inverse_sqrt(xsimd::batch<T, A> x) {
  return xsimd::batch<T, A>(T(1)) / xsimd::sqrt(x);
}
#if defined(__AVX512BW__)
// The estimate y has 14 bits: e = 1 - x y^2 is under 2^-13, and 1 / sqrt(x) = y (1 + e / 2 + 3 e^2 / 8 + 5 e^3 / 16
// ...).
inline xsimd::batch<double, xsimd::avx512bw> inverse_sqrt(xsimd::batch<double, xsimd::avx512bw> x) {
  using V = xsimd::batch<double, xsimd::avx512bw>;
  V const y = _mm512_rsqrt14_pd(x), e = V(1.0) - x * y * y;
  return y + y * e * ((V(0.3125) * e + V(0.375)) * e + V(0.5));
}
inline xsimd::batch<float, xsimd::avx512bw> inverse_sqrt(xsimd::batch<float, xsimd::avx512bw> x) {
  using V = xsimd::batch<float, xsimd::avx512bw>;
  V const y = _mm512_rsqrt14_ps(x), e = V(1.0f) - x * y * y;
  return y + V(0.5f) * y * e;
}
#endif

}  // namespace nearfar
