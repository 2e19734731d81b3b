// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#if defined(__CUDA_ARCH__)

#include "codelets/common/gpu/gpu_multiply.hpp"
#include "core/fmm/operators.hpp"

namespace nearfar {

/// Products of small matrices with columns of numbers, by the units of a GPU for products of double precision: what a
/// thread of ShiftTeam does in registers, a warp does for 16 expansions at once: more, and the sums spill.
struct WarpProduct {
  static constexpr int lanes = 16;  ///< expansions of a warp

  int thread;     ///< of the warp
  int row;        ///< numbers from one row to the next
  double* first;  ///< the first expansion's number in the first row

  /// `first` and rows are at whole pairs of numbers. Rows at(0) .. at(size - 1) become the product of a matrix with
  /// them: element(r, c), size <= 8 or 16. By all threads of a warp.
  template <bool High, class At, class Element>
  __device__ void replace(int size, At const& at, Element const& element) const {
    constexpr int groups = lanes / 8;
    int const t = thread, low = t / 4, high = low + 8;
    double sum[groups][High ? 4 : 2] = {};
    for (int k = 0; k < size; k += 4) {
      int const c = k + t % 4;
      bool const inside = c < size;
      double const* const from = first + at(inside ? c : 0) * row + t / 4;
      double const a = inside && low < size ? element(low, c) : 0, b = inside && high < size ? element(high, c) : 0;
      // The sums are registers only where loops over them are no loops.
      NEARFAR_DEVICE_UNROLL(groups)
      for (int g = 0; g < groups; ++g) {
        double const x = inside ? from[8 * g] : 0;
        if constexpr (High) gpu_multiply(sum[g], a, b, x);
        else gpu_multiply(sum[g], a, x);
      }
    }
    __syncwarp();
    auto const store = [&](int r, auto const& pair_of) {
      if (r >= size) return;
      double* const to = first + at(r) * row + 2 * (t % 4);
      NEARFAR_DEVICE_UNROLL(groups)
      for (int g = 0; g < groups; ++g) *reinterpret_cast<double2*>(to + 8 * g) = pair_of(g);
    };
    store(low, [&](int g) { return make_double2(sum[g][0], sum[g][1]); });
    if constexpr (High) store(high, [&](int g) { return make_double2(sum[g][2], sum[g][3]); });
  }
  template <class At, class Element>
  __device__ void replace(int size, At const& at, Element const& element) const {
    if (size > 8) replace<true>(size, at, element);
    else if (size > 0) replace<false>(size, at, element);
  }
};

/// Element (r, c) of a square matrix in panels (core/fmm/operators.hpp), for the two rows that a thread of a warp has.
struct PanelRows {
  double const *low, *high;
  int low_step, high_step, low_row;

  __device__ PanelRows(int thread, double const* matrix, int size) : low_row(thread / 4) {
    low = high = matrix;
    low_step = high_step = 0;
    for (int panel = 0; panel < size;) {
      int const rows = rows_of_panel(size - panel);
      auto const place = [&](int r, double const*& at, int& step) {
        if (r < panel || r >= panel + rows) return;
        at = matrix + panel * size + r - panel;
        step = rows;
      };
      place(low_row, low, low_step);
      place(low_row + 8, high, high_step);
      panel += rows;
    }
  }
  __device__ double operator()(int r, int c) const { return r == low_row ? low[c * low_step] : high[c * high_step]; }
};

}  // namespace nearfar

#endif
