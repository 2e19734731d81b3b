// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/lanes.hpp"
#include "codelets/fmm/translate/rows.hpp"
#include "codelets/fmm/translate/shift.hpp"

namespace nearfar {

/// Shifts along one vector, `Vectors` batches of boxes at once: every number below is a row of lanes, one box each.
template <class V, int Vectors>
struct AxialShift {
  using L = Lanes<V>;
  using T = typename L::Scalar;
  static constexpr int boxes = Vectors * L::count;
  static constexpr int row = Vectors;  ///< batches from one coefficient to the next
  static constexpr int most = expansion_stride<T>(max_fmm_order) * row;
  // As many sums as registers hold: degrees that are rotated in them, rows of a shift along z.
  static constexpr int low_degrees = sizeof(V) < 64 ? 2 : 5, max_rows = sizeof(V) < 64 ? 2 : 4;

  Shift shift;
  int order, stride;
  /// Between the rotations, the coefficients of one order m are adjacent: Re (m, m), ...,
  /// Re (p, m), Im (m, m), ..., so that (n, m) is at real_at[m] + n or imag_at[m] + n.
  int real_at[max_fmm_order + 1], imag_at[max_fmm_order + 1];
  alignas(64) V a[most], b[most], part[2 * (max_fmm_order + 1) * row];

  NEARFAR_FUNCTION AxialShift(Shift kind, int p) : shift(kind), order(p), stride(expansion_stride<T>(p)) {
    for (int m = 0, at = 0; m <= order; ++m) {
      real_at[m] = at - m;
      at += order + 1 - m;
      imag_at[m] = at - m;
      if (m > 0) at += order + 1 - m;
    }
  }

  /// Adds the shifted source[i] to target[i], i < count; count <= boxes.
  NEARFAR_FUNCTION void run(AxialOperator<T> const& op, T const* const* source, T* const* target, int count) {
    auto const as_it_is = [](int, int, V const& value) { return value; };
    gather_rows<row>(order, source, count, a, as_it_is);
    run_lanes<false>(op, a, b);
    scatter_rows<row>(order, b, target, count, as_it_is);
  }

  /// The same for packed expansions that are already rows of lanes; Add: adds to the target, which does not overlap.
  template <bool Add>
  NEARFAR_FUNCTION void run_lanes(AxialOperator<T> const& op, V const* source, V* target) {
    forward<0>(op, source);
    shift_along(op.shift);
    backward<0, Add>(op, target);
  }

 private:
  /// Rotates all degrees from n on to the vector, into b. Sums of low degrees fit into registers.
  template <int n>
  NEARFAR_FUNCTION void forward(AxialOperator<T> const& op, V const* source) {
    if constexpr (n <= low_degrees) {
      if (n > order) return;
      turn_low<n>(op, source + n * n * row);
      forward<n + 1>(op, source);
    } else {
      for (int k = n; k <= order; ++k) turn_high(op, k, source + k * k * row);
    }
  }
  /// Rotates them back, from a.
  template <int n, bool Add>
  NEARFAR_FUNCTION void backward(AxialOperator<T> const& op, V* target) {
    if constexpr (n <= low_degrees) {
      if (n > order) return;
      turn_low_back<n, Add>(op, target + n * n * row);
      backward<n + 1, Add>(op, target);
    } else {
      for (int k = n; k <= order; ++k) turn_high_back<Add>(op, k, target + k * k * row);
    }
  }

  template <int n>
  NEARFAR_FUNCTION void turn_low(AxialOperator<T> const& op, V const* x) {
    T const *const phase = op.phase[n % 2], *const real = op.forward + panel_offset(n),
                   *const imag = real + (n + 1) * (n + 1);
    V re[n + 1][row], im[n + 1][row];
    for (int v = 0; v < row; ++v) {
      V const turned = V(phase[0]) * x[v];
      for (int m = 0; m <= n; ++m) re[m][v] = V(real[m]) * turned;
      for (int m = 1; m <= n; ++m) im[m][v] = V(T(0));
    }
    for (int l = 1; l <= n; ++l) {
      V const c(phase[2 * l]), s(phase[2 * l + 1]);
      V turned_re[row], turned_im[row];
      for (int v = 0; v < row; ++v) {
        V const x_re = x[(2 * l - 1) * row + v], x_im = x[2 * l * row + v];
        turned_re[v] = c * x_re + s * x_im;
        turned_im[v] = c * x_im - s * x_re;
      }
      for (int m = 0; m <= n; ++m)
        for (int v = 0; v < row; ++v) re[m][v] = re[m][v] + V(real[l * (n + 1) + m]) * turned_re[v];
      for (int m = 1; m <= n; ++m)
        for (int v = 0; v < row; ++v) im[m][v] = im[m][v] + V(imag[(l - 1) * n + m - 1]) * turned_im[v];
    }
    for (int m = 0; m <= n; ++m)
      for (int v = 0; v < row; ++v) b[(real_at[m] + n) * row + v] = re[m][v];
    for (int m = 1; m <= n; ++m)
      for (int v = 0; v < row; ++v) b[(imag_at[m] + n) * row + v] = im[m][v];
  }
  template <int n, bool Add>
  NEARFAR_FUNCTION void turn_low_back(AxialOperator<T> const& op, V* x) {
    T const *const phase = op.phase[n % 2], *const real = op.backward + panel_offset(n),
                   *const imag = real + (n + 1) * (n + 1);
    V re[n + 1][row], im[n + 1][row];
    for (int v = 0; v < row; ++v) {
      V const from = a[(real_at[0] + n) * row + v];
      for (int m = 0; m <= n; ++m) re[m][v] = V(real[m]) * from;
      for (int m = 1; m <= n; ++m) im[m][v] = V(T(0));
    }
    for (int l = 1; l <= n; ++l) {
      V const *const from_re = a + (real_at[l] + n) * row, *const from_im = a + (imag_at[l] + n) * row;
      for (int m = 0; m <= n; ++m)
        for (int v = 0; v < row; ++v) re[m][v] = re[m][v] + V(real[l * (n + 1) + m]) * from_re[v];
      for (int m = 1; m <= n; ++m)
        for (int v = 0; v < row; ++v) im[m][v] = im[m][v] + V(imag[(l - 1) * n + m - 1]) * from_im[v];
    }
    for (int v = 0; v < row; ++v) add<Add>(x[v], V(phase[0]) * re[0][v]);
    for (int m = 1; m <= n; ++m) {
      V const c(phase[2 * m]), s(phase[2 * m + 1]);
      for (int v = 0; v < row; ++v) {
        add<Add>(x[(2 * m - 1) * row + v], c * re[m][v] - s * im[m][v]);
        add<Add>(x[2 * m * row + v], c * im[m][v] + s * re[m][v]);
      }
    }
  }
  template <bool Add>
  NEARFAR_FUNCTION static void add(V& to, V value) {
    if constexpr (Add) to = to + value;
    else to = value;
  }

  NEARFAR_FUNCTION void turn_high(AxialOperator<T> const& op, int n, V const* x) {
    turn(op.phase[n % 2], n, x);
    auto const real = [&](int m) { return b + (real_at[m] + n) * row; };
    auto const imag = [&](int m) { return b + (imag_at[m + 1] + n) * row; };
    T const* const matrix = op.forward + panel_offset(n);
    multiply(
        matrix, n + 1, [&](int l) { return part + l * row; }, real);
    multiply(
        matrix + (n + 1) * (n + 1), n, [&](int l) { return part + (order + 1 + l) * row; }, imag);
  }
  template <bool Add>
  NEARFAR_FUNCTION void turn_high_back(AxialOperator<T> const& op, int n, V* x) {
    auto const real = [&](int m) { return a + (real_at[m] + n) * row; };
    auto const imag = [&](int m) { return a + (imag_at[m + 1] + n) * row; };
    T const* const matrix = op.backward + panel_offset(n);
    multiply(matrix, n + 1, real, [&](int l) { return part + l * row; });
    multiply(matrix + (n + 1) * (n + 1), n, imag, [&](int l) { return part + (order + 1 + l) * row; });
    turn_back<Add>(op.phase[n % 2], n, x);
  }

  /// Rotates one degree about z into part: the real ones, then the imaginary ones.
  NEARFAR_FUNCTION void turn(T const* phase, int n, V const* x) {
    for (int v = 0; v < row; ++v) part[v] = V(phase[0]) * x[v];
    for (int m = 1; m <= n; ++m) {
      V const c(phase[2 * m]), s(phase[2 * m + 1]);
      for (int v = 0; v < row; ++v) {
        V const re = x[(2 * m - 1) * row + v], im = x[2 * m * row + v];
        part[m * row + v] = c * re + s * im;
        part[(order + m) * row + v] = c * im - s * re;
      }
    }
  }
  /// The reverse.
  template <bool Add>
  NEARFAR_FUNCTION void turn_back(T const* phase, int n, V* x) {
    auto const before = [&](V const& sum) { return Add ? sum : V(T(0)); };
    for (int v = 0; v < row; ++v) x[v] = before(x[v]) + V(phase[0]) * part[v];
    for (int m = 1; m <= n; ++m) {
      V const c(phase[2 * m]), s(phase[2 * m + 1]);
      for (int v = 0; v < row; ++v) {
        V const re = part[m * row + v], im = part[(order + m) * row + v];
        V& to_re = x[(2 * m - 1) * row + v];
        V& to_im = x[2 * m * row + v];
        to_re = before(to_re) + c * re - s * im;
        to_im = before(to_im) + c * im + s * re;
      }
    }
  }

  /// Multiplies a square matrix in panels by a column: in(l) and out(m) return where its rows of lanes are.
  template <class In, class Out>
  NEARFAR_FUNCTION void multiply(T const* matrix, int size, In const& in, Out const& out) {
    for (int m = 0; m < size;) {
      int const rows = rows_of_panel(size - m);
      switch (rows) {
        case 6: panel<6>(matrix, size, m, in, out); break;
        case 5: panel<5>(matrix, size, m, in, out); break;
        case 4: panel<4>(matrix, size, m, in, out); break;
        case 3: panel<3>(matrix, size, m, in, out); break;
        case 2: panel<2>(matrix, size, m, in, out); break;
        default: panel<1>(matrix, size, m, in, out);
      }
      m += rows;
      matrix += rows * size;
    }
  }
  template <int Rows, class In, class Out>
  NEARFAR_FUNCTION void panel(T const* matrix, int size, int m, In const& in, Out const& out) {
    V sum[Rows][row];
    V const* x = in(0);
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < row; ++v) sum[r][v] = V(matrix[r]) * x[v];
    for (int l = 1; l < size; ++l) {
      x = in(l);
      for (int r = 0; r < Rows; ++r)
        for (int v = 0; v < row; ++v) sum[r][v] = sum[r][v] + V(matrix[l * Rows + r]) * x[v];
    }
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < row; ++v) out(m + r)[v] = sum[r][v];
  }

  /// Shifts all orders m from b along z, into a.
  NEARFAR_FUNCTION void shift_along(T const* kernel) {
    // Steps of the kernel from row to row and from column to column: by j + k, n - k or k - n.
    switch (shift) {
      case Shift::m2l: return shift_orders<1, 1>(kernel);
      case Shift::m2m: return shift_orders<1, -1>(kernel);
      case Shift::l2l: return shift_orders<-1, 1>(kernel);
    }
  }
  template <int Row, int Column>
  NEARFAR_FUNCTION void shift_orders(T const* kernel) {
    shift_order<Row, Column, 1>(kernel, order + 1, 0);
    for (int m = 1; m + max_rows <= order; ++m) shift_order<Row, Column, 2>(kernel, order + 1 - m, m);
    shift_short<Row, Column, max_rows>(kernel);
  }
  /// The last orders, which have few degrees: their numbers are known at compile time.
  template <int Row, int Column, int Size>
  NEARFAR_FUNCTION void shift_short(T const* kernel) {
    if (Size <= order) shift_order<Row, Column, 2, Size>(kernel, Size, order + 1 - Size);
    if constexpr (Size > 1) shift_short<Row, Column, Size - 1>(kernel);
  }
  /// The coefficients of one order: real parts, or real and imaginary ones, by some rows at once, or all.
  template <int Row, int Column, int Parts, int All = 0>
  NEARFAR_FUNCTION void shift_order(T const* kernel, int size, int m) {
    if (shift == Shift::m2l) kernel += 2 * m;
    V const *const re = b + (real_at[m] + m) * row, *const im = Parts == 2 ? b + (imag_at[m] + m) * row : re;
    V *const out_re = a + (real_at[m] + m) * row, *const out_im = Parts == 2 ? a + (imag_at[m] + m) * row : out_re;
    if constexpr (All > 0) return shift_rows<Row, Column, All, Parts>(kernel, All, 0, re, im, out_re, out_im);
    int j = 0;
    for (; j + max_rows <= size; j += max_rows)
      shift_rows<Row, Column, max_rows, Parts>(kernel, size, j, re, im, out_re, out_im);
    if (max_rows > 2 && j + 2 <= size) {
      shift_rows<Row, Column, 2, Parts>(kernel, size, j, re, im, out_re, out_im);
      j += 2;
    }
    if (j < size) shift_rows<Row, Column, 1, Parts>(kernel, size, j, re, im, out_re, out_im);
  }
  template <int Row, int Column, int Rows, int Parts>
  NEARFAR_FUNCTION void shift_rows(T const* kernel, int size, int j, V const* re, V const* im, V* out_re, V* out_im) {
    V sum[Parts][Rows][row];
    for (auto& p : sum)
      for (auto& r : p)
        for (auto& s : r) s = V(T(0));
    kernel += j * Row;
    for (int k = 0; k < size; ++k)
      for (int r = 0; r < Rows; ++r) {
        V const t(kernel[r * Row + k * Column]);
        for (int v = 0; v < row; ++v) {
          sum[0][r][v] = sum[0][r][v] + t * re[k * row + v];
          if constexpr (Parts == 2) sum[1][r][v] = sum[1][r][v] + t * im[k * row + v];
        }
      }
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < row; ++v) {
        out_re[(j + r) * row + v] = sum[0][r][v];
        if constexpr (Parts == 2) out_im[(j + r) * row + v] = sum[1][r][v];
      }
  }
};

}  // namespace nearfar
