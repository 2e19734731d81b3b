// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/translate/shift.hpp"
#include "codelets/fmm/translate/shift_by_matrix.hpp"

#include <type_traits>

namespace nearfar {

/// Shifts some expansions along one vector: the steps of AxialShift (translate_body.hpp) shared among
/// threads. Numbers lie in rows, one expansion beside the other, in packed order
/// (core/fmm/packed.hpp). Thread t works on expansion t % lanes; one thread handles a degree, or an
/// order, of it, and computes all results before it writes any, so a single array suffices. Staged:
/// matrices go through shared memory. Where a GPU has matrix units for this precision, warps use them.
template <class T, int MostOrder, bool Staged>
struct ShiftTeam {
  static constexpr int threads = MostOrder <= 15 ? 512 : 256;

  Shift shift;
  int order, lanes;
  T *number, *kernel, *phase, *matrix;

  /// A row is two longer than the expansions in it, so that the rows of a product are in different banks.
  NEARFAR_FUNCTION static int memory_size(int order, int lanes) {
    return coefficient_count(order) * (lanes + 2) + 2 * order + 1 + 4 * (order + 1) +
           (Staged ? panel_offset(order + 1) : 0);
  }
  NEARFAR_FUNCTION ShiftTeam(Shift shift_, int order_, int lanes_, T* memory)
      : shift(shift_), order(order_), lanes(lanes_), number(memory), kernel(number + coefficient_count(order) * row()),
        phase(kernel + 2 * order + 1), matrix(phase + 4 * (order + 1)) {}

  NEARFAR_FUNCTION int row() const { return lanes + 2; }

  /// Copies what all threads read to shared memory; for the way back only the matrices.
  NEARFAR_FUNCTION void stage(int t, AxialOperator<T> const& op, bool back) const {
    if constexpr (Staged) {
      T const* const from = back ? op.backward : op.forward;
      NEARFAR_DEVICE_UNROLL(8)
      for (int i = t; i < panel_offset(order + 1); i += threads) matrix[i] = from[i];
    }
    if (back) return;
    T const* const from = shift == Shift::m2l ? op.shift : op.shift - order;
    if (t < 2 * order + 1) kernel[t] = from[t];
    if (t < 4 * (order + 1)) phase[t] = op.phase[t / (2 * (order + 1))][t % (2 * (order + 1))];
  }
  /// source(i) may be null.
  template <class Source>
  NEARFAR_FUNCTION void gather(int t, int count, Source const& source) const {
    int const each = threads / lanes, i = t / each;
    if (i >= count) return;
    T const* const from = source(i);
    NEARFAR_DEVICE_UNROLL(8)
    for (int c = t % each; c < coefficient_count(order); c += each)
      number[c * row() + i] = from == nullptr ? T(0) : from[c];
  }
  /// Stores to out + i * stride.
  NEARFAR_FUNCTION void scatter(int t, int count, T* out) const {
    int const each = threads / lanes, i = t / each, stride = expansion_stride<T>(order);
    if (i >= count) return;
    for (int c = t % each; c < stride; c += each)
      out[std::int64_t(i) * stride + c] = c < coefficient_count(order) ? number[c * row() + i] : T(0);
  }
  /// Rotates about z by the vector's longitude, or back.
  NEARFAR_FUNCTION void turn_about_z(int t, bool back, int count) const {
    if (t % lanes >= count) return;
    int const workers = threads / lanes;
    T const sign = back ? T(-1) : T(1);
    for (int m = t / lanes; m <= order; m += workers)
      for (int n = m; n <= order; ++n) {
        T* const re = number + real_index(n, m) * row() + t % lanes;
        T const c = phase[(n % 2 * (order + 1) + m) * 2], s = sign * phase[(n % 2 * (order + 1) + m) * 2 + 1];
        if (m == 0) {
          *re *= c;
          continue;
        }
        T const x = *re, y = re[row()];
        *re = c * x + s * y;
        re[row()] = c * y - s * x;
      }
  }
  /// Rotates about y, so that the vector points along z, or back.
  NEARFAR_FUNCTION void turn_about_y(int t, AxialOperator<T> const& op, bool back, int count) const {
    T const* const matrices = Staged ? matrix : back ? op.backward : op.forward;
#if defined(__CUDA_ARCH__)
    if constexpr (by_matrix)
      return for_each_product(t, [&](WarpProduct product, int down, int part) {
        int const n = order - down, size = n + 1 - part;
        product.first += (n * n + 2 * part) * row();
        PanelRows const element(t % 32, matrices + panel_offset(n) + part * (n + 1) * (n + 1), size);
        product.replace(
            size, [&](int r) { return part == 1 ? 2 * r
                                      : r == 0  ? 0
                                                : 2 * r - 1; }, element);
      });
#endif
    if (t % lanes >= count) return;
    for_each_item(t, [&](int down, int part) {
      int const n = order - down;
      T const* const from = matrices + panel_offset(n) + part * (n + 1) * (n + 1);
      T* const x = number + (n * n + 2 * part) * row() + t % lanes;
      with_size(n + 1 - part, [&]<int Size>() { part == 0 ? rotate<Size, 1>(from, x) : rotate<Size, 2>(from, x); });
    });
  }
  NEARFAR_FUNCTION void shift_along_z(int t, int count) const {
#if defined(__CUDA_ARCH__)
    if constexpr (by_matrix)
      return for_each_product(t, [&](WarpProduct const& product, int m, int part) {
        if (part > 0 && m == 0) return;
        T const* const from = shift == Shift::m2l ? kernel + 2 * m : kernel + order;
        int const r_step = shift == Shift::l2l ? -1 : 1, c_step = shift == Shift::m2m ? -1 : 1;
        product.replace(
            order + 1 - m, [&](int r) { return real_index(m + r, m) + part; },
            [&](int r, int c) { return from[r * r_step + c * c_step]; });
      });
#endif
    if (t % lanes >= count) return;
    for_each_item(t, [&](int m, int part) {
      if (part > 0 && m == 0) return;
      T* const x = number + (real_index(m, m) + part) * row() + t % lanes;
      // By j + k (M2L), n - k (M2M) or k - n (L2L).
      with_size(order + 1 - m, [&]<int Size>() {
        switch (shift) {
          case Shift::m2l: return shift_order<Size, 1, 1>(kernel + 2 * m, m, x);
          case Shift::m2m: return shift_order<Size, 1, -1>(kernel + order, m, x);
          case Shift::l2l: return shift_order<Size, -1, 1>(kernel + order, m, x);
        }
      });
    });
  }

 private:
#if defined(__CUDA_ARCH__)
  /// With smaller products, warps would wait for each other longer than they gain; with larger ones, sums would spill.
  static constexpr bool by_matrix = std::is_same_v<T, double> && MostOrder > 9 && MostOrder <= 15;

  /// visit(product, i, part) for i = 0 .. order, part = 0, 1 and all expansions, a warp each.
  template <class Visit>
  __device__ void for_each_product(int t, Visit const& visit) const {
    int const warp = t / 32, groups = lanes / WarpProduct::lanes;
    for (int job = warp; job < 2 * (order + 1) * groups; job += threads / 32) {
      int const item = job / groups;
      visit(WarpProduct{t % 32, row(), number + job % groups * WarpProduct::lanes}, item / 2, item % 2);
    }
  }
#endif

  /// Calls visit(i, part) for this thread's items of i = 0 .. order, part = 0, 1; the first ones are the longest.
  template <class Visit>
  NEARFAR_FUNCTION void for_each_item(int t, Visit const& visit) const {
    int const workers = threads / lanes, me = t / lanes, items = 2 * (order + 1);
    for (int begin = 0; begin < items; begin += 2 * workers)
      for (int half = 0; half < 2; ++half) {
        int const item = half == 0 ? begin + me : begin + 2 * workers - 1 - me;
        if (item < items) visit(item / 2, item % 2);
      }
  }
  /// f<Size>() for a size known at compile time, so that arrays of it are registers; nothing for size 0.
  template <int Low = 1, int High = MostOrder + 1, class F>
  NEARFAR_FUNCTION static void with_size(int size, F const& f) {
    if constexpr (Low == High) {
      if (size == Low) f.template operator()<Low>();
    } else {
      constexpr int middle = (Low + High) / 2;
      if (size <= middle) with_size<Low, middle>(size, f);
      else with_size<middle + 1, High>(size, f);
    }
  }
  /// Multiplies a square matrix in panels by a column, two rows apart; the first is `First` before the second.
  template <int Size, int First>
  NEARFAR_FUNCTION void rotate(T const* from, T* x) const {
    T sum[Size] = {};
    T const* in = x;
    // Loops must be short code: the threads of a block are in many of them at once.
    NEARFAR_DEVICE_UNROLL(1)
    for (int l = 0; l < Size; ++l) {
      add_column<Size, 0>(from, l, *in, sum);
      in += (l == 0 ? First : 2) * row();
    }
    for (int m = 0; m < Size; ++m) x[(m == 0 ? 0 : First + 2 * (m - 1)) * row()] = sum[m];
  }
  template <int Size, int Row>
  NEARFAR_FUNCTION static void add_column(T const* from, int l, T x, T* sum) {
    if constexpr (Row < Size) {
      constexpr int rows = rows_of_panel(Size - Row);
      for (int r = 0; r < rows; ++r) sum[Row + r] += from[Row * Size + l * rows + r] * x;
      add_column<Size, Row + rows>(from, l, x, sum);
    }
  }
  /// The coefficients of one order m, of degrees m .. order: degree n + 1 is 2n + 1 rows after degree n.
  template <int Size, int Row, int Column>
  NEARFAR_FUNCTION void shift_order(T const* from, int m, T* x) const {
    T sum[Size] = {};
    T const* in = x;
    NEARFAR_DEVICE_UNROLL(1)
    for (int k = 0; k < Size; ++k) {
      T const value = *in;
      in += (2 * (m + k) + 1) * row();
      for (int j = 0; j < Size; ++j) sum[j] += from[j * Row + k * Column] * value;
    }
    for (int j = 0; j < Size; ++j) {
      *x = sum[j];
      x += (2 * (m + j) + 1) * row();
    }
  }
};

}  // namespace nearfar
