// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/simd_batch.hpp"

namespace nearfar {

#if defined(__AVX2__) && !defined(__AVX512BW__)
/// The lanes that are set, one after the other, for each pattern of eight.
struct LaneOrder {
  alignas(64) unsigned char lane[256][8] = {};
  constexpr LaneOrder() {
    for (int bits = 0; bits < 256; ++bits)
      for (int i = 0, to = 0; i < 8; ++i)
        if (bits >> i & 1) lane[bits][to++] = static_cast<unsigned char>(i);
  }
};
inline constexpr LaneOrder lane_order;
#endif

/// Writes first + the number of each lane that is set, one after the other; what lies behind may be overwritten, up to
/// `lanes` numbers.
template <int lanes>
[[gnu::always_inline]] inline void append_lanes(unsigned bits, int first, int* out) {
#if defined(__AVX512BW__)
  static_assert(lanes == 16);
  __m512i const lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i const number = _mm512_add_epi32(lane, _mm512_set1_epi32(first));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(__mmask16(bits), number));
#elif defined(__AVX2__)
  static_assert(lanes == 8);
  __m128i const lane = _mm_loadl_epi64(reinterpret_cast<__m128i const*>(lane_order.lane[bits]));
  __m256i const number = _mm256_add_epi32(_mm256_cvtepu8_epi32(lane), _mm256_set1_epi32(first));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), number);
#else
  for (; bits != 0; bits &= bits - 1) *out++ = first + __builtin_ctz(bits);
#endif
}

/// The first `count` numbers of p, over and over.
template <int count, class V, class T>
[[gnu::always_inline]] inline V repeat(T const* p) {
#if defined(__AVX512BW__)
  static_assert(count == 4);
  if constexpr (sizeof(T) == 8) return V(_mm512_broadcast_f64x4(_mm256_loadu_pd(p)));
  else return V(_mm512_broadcast_f32x4(_mm_loadu_ps(p)));
#else
  alignas(64) T lane[V::size];
  for (int i = 0; i < int(V::size); ++i) lane[i] = p[i % count];
  return V::load_aligned(lane);
#endif
}

/// Columns `at` .. `at` + 3 of as many rows as fill V when each of their numbers is there `times` over, one row after
/// the other.
template <int times, class V, class T>
[[gnu::always_inline]] inline void spread_quad(T const* const* row, int at, V* out) {
  constexpr int lanes = int(V::size);
  for (int c = 0; c < 4; ++c) {
    alignas(64) T column[lanes];
    for (int i = 0; i < lanes; ++i) column[i] = row[i / times][at + c];
    out[c] = times == lanes ? V(row[0][at + c]) : V::load_aligned(column);
  }
}

#if defined(__AVX512BW__)
template <int times>
[[gnu::always_inline]] inline void spread_quad(double const* const* row, int at,
                                               xsimd::batch<double, xsimd::avx512bw>* out) {
  static_assert(times == 4);
  __m512d const rows =
      _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(row[0] + at)), _mm256_loadu_pd(row[1] + at), 1);
  out[0] = _mm512_permutex_pd(rows, 0x00);
  out[1] = _mm512_permutex_pd(rows, 0x55);
  out[2] = _mm512_permutex_pd(rows, 0xaa);
  out[3] = _mm512_permutex_pd(rows, 0xff);
}
template <int times>
[[gnu::always_inline]] inline void spread_quad(float const* const* row, int at,
                                               xsimd::batch<float, xsimd::avx512bw>* out) {
  static_assert(times == 4);
  __m512 rows = _mm512_castps128_ps512(_mm_loadu_ps(row[0] + at));
  rows = _mm512_insertf32x4(rows, _mm_loadu_ps(row[1] + at), 1);
  rows = _mm512_insertf32x4(rows, _mm_loadu_ps(row[2] + at), 2);
  rows = _mm512_insertf32x4(rows, _mm_loadu_ps(row[3] + at), 3);
  out[0] = _mm512_permute_ps(rows, 0x00);
  out[1] = _mm512_permute_ps(rows, 0x55);
  out[2] = _mm512_permute_ps(rows, 0xaa);
  out[3] = _mm512_permute_ps(rows, 0xff);
}
#elif defined(__AVX2__)
template <int times>
[[gnu::always_inline]] inline void spread_quad(float const* const* row, int at,
                                               xsimd::batch<float, xsimd::fma3<xsimd::avx2> >* out) {
  static_assert(times == 4);
  __m256 const rows =
      _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row[0] + at)), _mm_loadu_ps(row[1] + at), 1);
  out[0] = _mm256_permute_ps(rows, 0x00);
  out[1] = _mm256_permute_ps(rows, 0x55);
  out[2] = _mm256_permute_ps(rows, 0xaa);
  out[3] = _mm256_permute_ps(rows, 0xff);
}
#endif

}  // namespace nearfar
