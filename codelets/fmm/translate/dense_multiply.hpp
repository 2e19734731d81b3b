// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_multiply.hpp"
#include "codelets/fmm/translate/dense_layout.hpp"

#include <type_traits>

namespace nearfar {

#if defined(__CUDACC__)
/// gpu_multiply with a of 8 columns and b of 8 rows: the first four of a's are the x of `low` and `high`, then come y.
__device__ inline void gpu_multiply_more([[maybe_unused]] double* sum, [[maybe_unused]] double2 low,
                                         [[maybe_unused]] double2 high, [[maybe_unused]] double2 b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm("mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
      "{%0, %1, %2, %3};"
      : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
      : "d"(low.x), "d"(high.x), "d"(low.y), "d"(high.y), "d"(b.x), "d"(b.y));
#else
  gpu_multiply(sum, low.x, high.x, b.x);
  gpu_multiply(sum, low.y, high.y, b.y);
#endif
}
#endif

/// What 32 threads multiply: rows of numbers, one expansion in each, with `Tiles` rows of tiles of a matrix. Thread t
/// has, of each block of 16 expansions, number t / 4 and the one 8 later, and of each tile's results numbers 2 (t % 4)
/// and the next. In double precision NVIDIA's units for products do that; elsewhere each thread by itself.
template <class T, int Tiles>
struct DenseMultiply {
  static constexpr int expansions = 32, blocks = expansions / 16, tile = DenseLayout::tile;

  T sum[blocks][Tiles][4] = {};  ///< of the first expansion two results, then of the second

  /// `from`: of the first expansion, `row` numbers before the next; `steps` tiles of them.
  NEARFAR_FUNCTION void run(int t, T const* from, int row, T const* matrix, int steps) {
#if defined(__CUDA_ARCH__)
    if constexpr (std::is_same_v<T, double>) return by_units(t, from, row, matrix, steps);
#endif
    by_threads(t, from, row, matrix, steps);
  }
  /// visit(expansion, first of two results, the two).
  template <class Visit>
  NEARFAR_FUNCTION void for_each_pair(int t, Visit const& visit) const {
    for (int b = 0; b < blocks; ++b)
      for (int n = 0; n < Tiles; ++n)
        for (int half = 0; half < 2; ++half)
          visit(16 * b + 8 * half + t / 4, tile * n + 2 * (t % 4), sum[b][n] + 2 * half);
  }

 private:
  struct alignas(4 * sizeof(T)) Four {
    T number[4];
  };

  NEARFAR_FUNCTION void by_threads(int t, T const* from, int row, T const* matrix, int steps) {
    T const* const mine = from + t / 4 * row;
    matrix += 2 * (t % 4) * tile;
    NEARFAR_DEVICE_UNROLL(1)
    for (int step = 0; step < steps; ++step)
      for (int k = step * tile; k < (step + 1) * tile; k += 4) {
        Four x[blocks][2], entry[Tiles][2];
        for (int b = 0; b < blocks; ++b)
          for (int half = 0; half < 2; ++half)
            x[b][half] = *reinterpret_cast<Four const*>(mine + (16 * b + 8 * half) * row + k);
        for (int n = 0; n < Tiles; ++n)
          for (int r = 0; r < 2; ++r)
            entry[n][r] = *reinterpret_cast<Four const*>(matrix + ((n * steps + step) * tile + r) * tile + k % tile);
        for (int i = 0; i < 4; ++i)
          for (int b = 0; b < blocks; ++b)
            for (int n = 0; n < Tiles; ++n)
              for (int half = 0; half < 2; ++half)
                for (int r = 0; r < 2; ++r) sum[b][n][2 * half + r] += x[b][half].number[i] * entry[n][r].number[i];
      }
  }

#if defined(__CUDA_ARCH__)
  /// The order of the terms is free as long as it is one for both factors: each thread reads two that follow each
  /// other.
  __device__ void by_units(int t, double const* from, int row, double const* matrix, int steps) {
    double2 const* const x = reinterpret_cast<double2 const*>(from + t / 4 * row) + t % 4;
    double2 const* const entry = reinterpret_cast<double2 const*>(matrix) + t;
    // Entries come from far: they are asked for some steps ahead.
    constexpr int ahead = 2;
    double2 next[ahead][Tiles];
    auto const ask = [&](int i, int step) {
      NEARFAR_DEVICE_UNROLL(Tiles)
      for (int n = 0; n < Tiles; ++n) next[i][n] = entry[(n * steps + step) * 32];
    };
    auto const multiply = [&](int i, int step) {
      NEARFAR_DEVICE_UNROLL(blocks)
      for (int b = 0; b < blocks; ++b) {
        double2 const low = x[8 * b * row + step * 4], high = x[(8 * b + 4) * row + step * 4];
        NEARFAR_DEVICE_UNROLL(Tiles)
        for (int n = 0; n < Tiles; ++n) gpu_multiply_more(sum[b][n], low, high, next[i][n]);
      }
    };
    ask(0, 0);
    if (steps > 1) ask(1, 1);
    int step = 0;
    NEARFAR_DEVICE_UNROLL(1)
    for (; step + ahead < steps; step += ahead) {
      multiply(0, step);
      ask(0, step + ahead);
      multiply(1, step + 1);
      if (step + ahead + 1 < steps) ask(1, step + ahead + 1);
    }
    multiply(0, step);
    if (step + 1 < steps) multiply(1, step + 1);
  }
#endif
};

}  // namespace nearfar
