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

/// Columns `at` .. `at` + 3 of as many rows as V has lanes: out[c] holds column c of all rows. Which lane holds which
/// row is not said, but it is the same for every column.
template <class V, class T>
[[gnu::always_inline]] inline void load_quad(T const* const* row, int at, V* out) {
  constexpr int lanes = int(V::size);
  alignas(64) T column[4][lanes];
  for (int i = 0; i < lanes; ++i)
    for (int c = 0; c < 4; ++c) column[c][i] = row[i][at + c];
  for (int c = 0; c < 4; ++c) out[c] = V::load_aligned(column[c]);
}

#if defined(__AVX512BW__)
[[gnu::always_inline]] inline void load_quad(double const* const* row, int at,
                                             xsimd::batch<double, xsimd::avx512bw>* out) {
  auto const pair = [&](int i) __attribute__((always_inline)) {
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(row[i] + at)), _mm256_loadu_pd(row[i + 4] + at),
                              1);
  };
  __m512d const a = pair(0), b = pair(1), c = pair(2), d = pair(3);
  __m512d const even_ab = _mm512_unpacklo_pd(a, b), odd_ab = _mm512_unpackhi_pd(a, b),
                even_cd = _mm512_unpacklo_pd(c, d), odd_cd = _mm512_unpackhi_pd(c, d);
  out[0] = _mm512_shuffle_f64x2(even_ab, even_cd, 0x88);
  out[1] = _mm512_shuffle_f64x2(odd_ab, odd_cd, 0x88);
  out[2] = _mm512_shuffle_f64x2(even_ab, even_cd, 0xdd);
  out[3] = _mm512_shuffle_f64x2(odd_ab, odd_cd, 0xdd);
}
[[gnu::always_inline]] inline void load_quad(float const* const* row, int at,
                                             xsimd::batch<float, xsimd::avx512bw>* out) {
  auto const four = [&](int i) __attribute__((always_inline)) {
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(row[i] + at));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(row[i + 4] + at), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(row[i + 8] + at), 2);
    return _mm512_castps_pd(_mm512_insertf32x4(v, _mm_loadu_ps(row[i + 12] + at), 3));
  };
  auto const low = [](__m512d x, __m512d y) __attribute__((always_inline)) {
    return _mm512_castps_pd(_mm512_unpacklo_ps(_mm512_castpd_ps(x), _mm512_castpd_ps(y)));
  };
  auto const high = [](__m512d x, __m512d y) __attribute__((always_inline)) {
    return _mm512_castps_pd(_mm512_unpackhi_ps(_mm512_castpd_ps(x), _mm512_castpd_ps(y)));
  };
  __m512d const a = four(0), b = four(1), c = four(2), d = four(3);
  out[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(low(a, b), low(c, d)));
  out[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(low(a, b), low(c, d)));
  out[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(high(a, b), high(c, d)));
  out[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(high(a, b), high(c, d)));
}
#elif defined(__AVX2__)
[[gnu::always_inline]] inline void load_quad(double const* const* row, int at,
                                             xsimd::batch<double, xsimd::fma3<xsimd::avx2> >* out) {
  __m256d const a = _mm256_loadu_pd(row[0] + at), b = _mm256_loadu_pd(row[1] + at), c = _mm256_loadu_pd(row[2] + at),
                d = _mm256_loadu_pd(row[3] + at);
  __m256d const even_ab = _mm256_unpacklo_pd(a, b), odd_ab = _mm256_unpackhi_pd(a, b),
                even_cd = _mm256_unpacklo_pd(c, d), odd_cd = _mm256_unpackhi_pd(c, d);
  out[0] = _mm256_permute2f128_pd(even_ab, even_cd, 0x20);
  out[1] = _mm256_permute2f128_pd(odd_ab, odd_cd, 0x20);
  out[2] = _mm256_permute2f128_pd(even_ab, even_cd, 0x31);
  out[3] = _mm256_permute2f128_pd(odd_ab, odd_cd, 0x31);
}
[[gnu::always_inline]] inline void load_quad(float const* const* row, int at,
                                             xsimd::batch<float, xsimd::fma3<xsimd::avx2> >* out) {
  auto const two = [&](int i) __attribute__((always_inline)) {
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row[i] + at)), _mm_loadu_ps(row[i + 4] + at), 1);
  };
  auto const wide = [](__m256 x) __attribute__((always_inline)) { return _mm256_castps_pd(x); };
  __m256 const a = two(0), b = two(1), c = two(2), d = two(3);
  __m256d const low_ab = wide(_mm256_unpacklo_ps(a, b)), low_cd = wide(_mm256_unpacklo_ps(c, d)),
                high_ab = wide(_mm256_unpackhi_ps(a, b)), high_cd = wide(_mm256_unpackhi_ps(c, d));
  out[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(low_ab, low_cd));
  out[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(low_ab, low_cd));
  out[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(high_ab, high_cd));
  out[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(high_ab, high_cd));
}
#endif

}  // namespace nearfar
