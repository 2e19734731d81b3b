// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/simd_batch.hpp"

namespace nearfar {

#if defined(__AVX2__) && !defined(__AVX512BW__)
/// The indices of the set lanes, for each pattern of eight.
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

/// Writes the lanes of a vector whose bits are set, one after another;
/// memory behind them may be overwritten, up to `lanes` numbers in all.
template <int lanes, class A>
[[gnu::always_inline]] inline void append_lanes(unsigned bits, xsimd::batch<float, A> from, float* out) {
  alignas(64) float lane[lanes];
  from.store_aligned(lane);
  for (; bits != 0; bits &= bits - 1) *out++ = lane[__builtin_ctz(bits)];
}
/// The same for numbers in memory.
template <int lanes, class Number>
[[gnu::always_inline]] inline void append_lanes(unsigned bits, Number const* from, Number* out) {
  for (; bits != 0; bits &= bits - 1) *out++ = from[__builtin_ctz(bits)];
}
/// The same for the numbers first, first + 1, ...
template <int lanes>
[[gnu::always_inline]] inline void append_lanes(unsigned bits, int first, int* out) {
  for (; bits != 0; bits &= bits - 1) *out++ = first + __builtin_ctz(bits);
}

#if defined(__AVX512BW__)
template <int lanes>
[[gnu::always_inline]] inline void append_lanes(unsigned bits, xsimd::batch<float, xsimd::avx512bw> from, float* out) {
  _mm512_storeu_ps(out, _mm512_maskz_compress_ps(__mmask16(bits), from));
}
template <int lanes>
requires(lanes == 16) [[gnu::always_inline]] inline void append_lanes(unsigned bits, int const* from, int* out) {
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(__mmask16(bits), _mm512_loadu_si512(from)));
}
template <int lanes>
requires(lanes == 16) [[gnu::always_inline]] inline void append_lanes(unsigned bits, int first, int* out) {
  __m512i const lane = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  __m512i const number = _mm512_add_epi32(lane, _mm512_set1_epi32(first));
  _mm512_storeu_si512(out, _mm512_maskz_compress_epi32(__mmask16(bits), number));
}
#elif defined(__AVX2__)
[[gnu::always_inline]] inline __m256i order_of(unsigned bits) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<__m128i const*>(lane_order.lane[bits])));
}
template <int lanes>
[[gnu::always_inline]] inline void append_lanes(unsigned bits, xsimd::batch<float, xsimd::fma3<xsimd::avx2> > from,
                                                float* out) {
  _mm256_storeu_ps(out, _mm256_permutevar8x32_ps(from, order_of(bits)));
}
template <int lanes>
requires(lanes == 8) [[gnu::always_inline]] inline void append_lanes(unsigned bits, int const* from, int* out) {
  __m256i const lane = _mm256_loadu_si256(reinterpret_cast<__m256i const*>(from));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_permutevar8x32_epi32(lane, order_of(bits)));
}
template <int lanes>
requires(lanes == 8) [[gnu::always_inline]] inline void append_lanes(unsigned bits, int first, int* out) {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_add_epi32(order_of(bits), _mm256_set1_epi32(first)));
}
#endif

/// Loads four numbers, from `at` on, of as many rows as V has lanes, and transposes them into four vectors.
template <class V, class T>
[[gnu::always_inline]] inline void load_columns(T const* const* row, int at, V* column) {
  constexpr int lanes = int(V::size);
  for (int c = 0; c < 4; ++c) {
    alignas(64) T lane[lanes];
    for (int i = 0; i < lanes; ++i) lane[i] = row[i][at + c];
    column[c] = V::load_aligned(lane);
  }
}

/// Adds lane i of `width` vectors to row i, which may be of higher precision.
template <int width, class V, class T>
[[gnu::always_inline]] inline void add_to_rows(V const* column, T* const* row) {
  constexpr int lanes = int(V::size);
  alignas(64) typename V::value_type lane[width][lanes];
  for (int c = 0; c < width; ++c) column[c].store_aligned(lane[c]);
  for (int i = 0; i < lanes; ++i)
    for (int c = 0; c < width; ++c) row[i][c] += T(lane[c][i]);
}

/// Adds all lanes of `width` vectors to a row, likewise.
template <int width, class V, class T>
[[gnu::always_inline]] inline void add_all_to_row(V const* column, T* row) {
  constexpr int lanes = int(V::size);
  for (int c = 0; c < width; ++c) {
    alignas(64) typename V::value_type lane[lanes];
    column[c].store_aligned(lane);
    T sum = 0;
    for (int i = 0; i < lanes; ++i) sum += T(lane[i]);
    row[c] += sum;
  }
}

#if defined(__AVX2__)
[[gnu::always_inline]] inline void add_quad(float* to, __m128 what) {
  _mm_storeu_ps(to, _mm_add_ps(_mm_loadu_ps(to), what));
}
[[gnu::always_inline]] inline void add_quad(double* to, __m128 what) {
  _mm256_storeu_pd(to, _mm256_add_pd(_mm256_loadu_pd(to), _mm256_cvtps_pd(what)));
}
#endif

#if defined(__AVX512BW__)
// Halves of a vector hold two rows: 0 2, 1 3, 4 6, 5 7.
[[gnu::always_inline]] inline void load_columns(double const* const* row, int at,
                                                xsimd::batch<double, xsimd::avx512bw>* column) {
  auto const pair = [&](int low, int high) {
    return _mm512_insertf64x4(_mm512_castpd256_pd512(_mm256_loadu_pd(row[low] + at)), _mm256_loadu_pd(row[high] + at),
                              1);
  };
  __m512d const a = pair(0, 2), b = pair(1, 3), c = pair(4, 6), d = pair(5, 7);
  __m512d const even[2] = {_mm512_unpacklo_pd(a, b), _mm512_unpacklo_pd(c, d)},
                odd[2] = {_mm512_unpackhi_pd(a, b), _mm512_unpackhi_pd(c, d)};
  column[0] = _mm512_shuffle_f64x2(even[0], even[1], 0x88);
  column[1] = _mm512_shuffle_f64x2(odd[0], odd[1], 0x88);
  column[2] = _mm512_shuffle_f64x2(even[0], even[1], 0xdd);
  column[3] = _mm512_shuffle_f64x2(odd[0], odd[1], 0xdd);
}

/// Rows 0 2, 4 6, 1 3 and 5 7 of four columns.
[[gnu::always_inline]] inline void pairs_of_rows(xsimd::batch<double, xsimd::avx512bw> const* column, __m512d* pair) {
  __m512i const low = _mm512_setr_epi64(0, 1, 8, 9, 2, 3, 10, 11), high = _mm512_setr_epi64(4, 5, 12, 13, 6, 7, 14, 15);
  __m512d const even[2] = {_mm512_unpacklo_pd(column[0], column[1]), _mm512_unpacklo_pd(column[2], column[3])},
                odd[2] = {_mm512_unpackhi_pd(column[0], column[1]), _mm512_unpackhi_pd(column[2], column[3])};
  pair[0] = _mm512_permutex2var_pd(even[0], low, even[1]);
  pair[1] = _mm512_permutex2var_pd(even[0], high, even[1]);
  pair[2] = _mm512_permutex2var_pd(odd[0], low, odd[1]);
  pair[3] = _mm512_permutex2var_pd(odd[0], high, odd[1]);
}
template <int width>
requires(width == 4) [[gnu::always_inline]] inline void add_to_rows(xsimd::batch<double, xsimd::avx512bw> const* column,
                                                                    double* const* row) {
  __m512d pair[4];
  pairs_of_rows(column, pair);
  constexpr int first[4] = {0, 4, 1, 5};
  for (int i = 0; i < 4; ++i) {
    double *const low = row[first[i]], *const high = row[first[i] + 2];
    _mm256_storeu_pd(low, _mm256_add_pd(_mm256_loadu_pd(low), _mm512_castpd512_pd256(pair[i])));
    _mm256_storeu_pd(high, _mm256_add_pd(_mm256_loadu_pd(high), _mm512_extractf64x4_pd(pair[i], 1)));
  }
}
template <int width>
requires(width == 4)
    [[gnu::always_inline]] inline void add_all_to_row(xsimd::batch<double, xsimd::avx512bw> const* column,
                                                      double* row) {
  __m512d pair[4];
  pairs_of_rows(column, pair);
  __m512d const sum = _mm512_add_pd(_mm512_add_pd(pair[0], pair[1]), _mm512_add_pd(pair[2], pair[3]));
  __m256d const halves = _mm256_add_pd(_mm512_castpd512_pd256(sum), _mm512_extractf64x4_pd(sum, 1));
  _mm256_storeu_pd(row, _mm256_add_pd(_mm256_loadu_pd(row), halves));
}

// Quarters of a vector hold four rows: i, i + 4, i + 8, i + 12.
[[gnu::always_inline]] inline void transpose_quarters(__m512 const* in, __m512* out) {
  __m512d const a = _mm512_castps_pd(_mm512_unpacklo_ps(in[0], in[1])),
                b = _mm512_castps_pd(_mm512_unpackhi_ps(in[0], in[1])),
                c = _mm512_castps_pd(_mm512_unpacklo_ps(in[2], in[3])),
                d = _mm512_castps_pd(_mm512_unpackhi_ps(in[2], in[3]));
  out[0] = _mm512_castpd_ps(_mm512_unpacklo_pd(a, c));
  out[1] = _mm512_castpd_ps(_mm512_unpackhi_pd(a, c));
  out[2] = _mm512_castpd_ps(_mm512_unpacklo_pd(b, d));
  out[3] = _mm512_castpd_ps(_mm512_unpackhi_pd(b, d));
}
[[gnu::always_inline]] inline void load_columns(float const* const* row, int at,
                                                xsimd::batch<float, xsimd::avx512bw>* column) {
  __m512 rows[4], columns[4];
  for (int i = 0; i < 4; ++i) {
    rows[i] = _mm512_castps128_ps512(_mm_loadu_ps(row[i] + at));
    rows[i] = _mm512_insertf32x4(rows[i], _mm_loadu_ps(row[i + 4] + at), 1);
    rows[i] = _mm512_insertf32x4(rows[i], _mm_loadu_ps(row[i + 8] + at), 2);
    rows[i] = _mm512_insertf32x4(rows[i], _mm_loadu_ps(row[i + 12] + at), 3);
  }
  transpose_quarters(rows, columns);
  for (int c = 0; c < 4; ++c) column[c] = columns[c];
}
template <int width, class Number>
requires(width == 4) [[gnu::always_inline]] inline void add_to_rows(xsimd::batch<float, xsimd::avx512bw> const* column,
                                                                    Number* const* row) {
  __m512 const columns[4] = {column[0], column[1], column[2], column[3]};
  __m512 rows[4];
  transpose_quarters(columns, rows);
  auto const add = [](Number* to, __m128 what) { add_quad(to, what); };
  for (int i = 0; i < 4; ++i) {
    add(row[i], _mm512_castps512_ps128(rows[i]));
    add(row[i + 4], _mm512_extractf32x4_ps(rows[i], 1));
    add(row[i + 8], _mm512_extractf32x4_ps(rows[i], 2));
    add(row[i + 12], _mm512_extractf32x4_ps(rows[i], 3));
  }
}
template <int width, class Number>
requires(width == 4)
    [[gnu::always_inline]] inline void add_all_to_row(xsimd::batch<float, xsimd::avx512bw> const* column, Number* row) {
  __m512 const columns[4] = {column[0], column[1], column[2], column[3]};
  __m512 rows[4];
  transpose_quarters(columns, rows);
  __m512 const sum = _mm512_add_ps(_mm512_add_ps(rows[0], rows[1]), _mm512_add_ps(rows[2], rows[3]));
  __m128 const quarters = _mm_add_ps(_mm_add_ps(_mm512_castps512_ps128(sum), _mm512_extractf32x4_ps(sum, 1)),
                                     _mm_add_ps(_mm512_extractf32x4_ps(sum, 2), _mm512_extractf32x4_ps(sum, 3)));
  add_quad(row, quarters);
}
#elif defined(__AVX2__)
[[gnu::always_inline]] inline void transpose_quad(__m256d const* in, __m256d* out) {
  __m256d const a = _mm256_unpacklo_pd(in[0], in[1]), b = _mm256_unpackhi_pd(in[0], in[1]),
                c = _mm256_unpacklo_pd(in[2], in[3]), d = _mm256_unpackhi_pd(in[2], in[3]);
  out[0] = _mm256_permute2f128_pd(a, c, 0x20);
  out[1] = _mm256_permute2f128_pd(b, d, 0x20);
  out[2] = _mm256_permute2f128_pd(a, c, 0x31);
  out[3] = _mm256_permute2f128_pd(b, d, 0x31);
}
[[gnu::always_inline]] inline void load_columns(double const* const* row, int at,
                                                xsimd::batch<double, xsimd::fma3<xsimd::avx2> >* column) {
  __m256d rows[4], columns[4];
  for (int i = 0; i < 4; ++i) rows[i] = _mm256_loadu_pd(row[i] + at);
  transpose_quad(rows, columns);
  for (int c = 0; c < 4; ++c) column[c] = columns[c];
}
template <int width>
requires(width == 4)
    [[gnu::always_inline]] inline void add_to_rows(xsimd::batch<double, xsimd::fma3<xsimd::avx2> > const* column,
                                                   double* const* row) {
  __m256d const columns[4] = {column[0], column[1], column[2], column[3]};
  __m256d rows[4];
  transpose_quad(columns, rows);
  for (int i = 0; i < 4; ++i) _mm256_storeu_pd(row[i], _mm256_add_pd(_mm256_loadu_pd(row[i]), rows[i]));
}

// Halves of a vector hold two rows: i, i + 4.
[[gnu::always_inline]] inline void transpose_halves(__m256 const* in, __m256* out) {
  __m256d const a = _mm256_castps_pd(_mm256_unpacklo_ps(in[0], in[1])),
                b = _mm256_castps_pd(_mm256_unpackhi_ps(in[0], in[1])),
                c = _mm256_castps_pd(_mm256_unpacklo_ps(in[2], in[3])),
                d = _mm256_castps_pd(_mm256_unpackhi_ps(in[2], in[3]));
  out[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(a, c));
  out[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(a, c));
  out[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(b, d));
  out[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(b, d));
}
[[gnu::always_inline]] inline void load_columns(float const* const* row, int at,
                                                xsimd::batch<float, xsimd::fma3<xsimd::avx2> >* column) {
  __m256 rows[4], columns[4];
  for (int i = 0; i < 4; ++i)
    rows[i] = _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(row[i] + at)), _mm_loadu_ps(row[i + 4] + at), 1);
  transpose_halves(rows, columns);
  for (int c = 0; c < 4; ++c) column[c] = columns[c];
}
template <int width, class Number>
requires(width == 4)
    [[gnu::always_inline]] inline void add_to_rows(xsimd::batch<float, xsimd::fma3<xsimd::avx2> > const* column,
                                                   Number* const* row) {
  __m256 const columns[4] = {column[0], column[1], column[2], column[3]};
  __m256 rows[4];
  transpose_halves(columns, rows);
  for (int i = 0; i < 4; ++i) {
    add_quad(row[i], _mm256_castps256_ps128(rows[i]));
    add_quad(row[i + 4], _mm256_extractf128_ps(rows[i], 1));
  }
}
#endif

/// Longer rows, quad by quad.
template <int width, class V, class T>
requires(width > 4 && width % 4 == 0) [[gnu::always_inline]] inline void add_to_rows(V const* column, T* const* row) {
  constexpr int lanes = int(V::size);
  for (int c = 0; c < width; c += 4) {
    T* at[lanes];
    for (int i = 0; i < lanes; ++i) at[i] = row[i] + c;
    add_to_rows<4>(column + c, at);
  }
}
template <int width, class V, class T>
requires(width > 4 && width % 4 == 0) [[gnu::always_inline]] inline void add_all_to_row(V const* column, T* row) {
  for (int c = 0; c < width; c += 4) add_all_to_row<4>(column + c, row + c);
}

}  // namespace nearfar
