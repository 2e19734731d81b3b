// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#if defined(__CUDACC__)

namespace nearfar {

/// sum += a b by a warp: a has 16 rows and 4 columns, b 4 rows and 8 columns. Thread t provides
/// rows t / 4 and t / 4 + 8 of column t % 4 of a, and row t % 4 of column t / 4 of b; it holds
/// columns 2 (t % 4) and the next of row t / 4 of the sum, then those of row t / 4 + 8.
__device__ inline void gpu_multiply([[maybe_unused]] double* sum, [[maybe_unused]] double low,
                                    [[maybe_unused]] double high, [[maybe_unused]] double b) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
  asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};"
               : "+d"(sum[0]), "+d"(sum[1]), "+d"(sum[2]), "+d"(sum[3])
               : "d"(low), "d"(high), "d"(b));
#elif defined(__CUDA_ARCH__)
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(sum[0]), "+d"(sum[1])
               : "d"(low), "d"(b));
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(sum[2]), "+d"(sum[3])
               : "d"(high), "d"(b));
#endif
}

/// The same for only the first 8 rows of a and of the sum.
__device__ inline void gpu_multiply([[maybe_unused]] double* sum, [[maybe_unused]] double low,
                                    [[maybe_unused]] double b) {
#if defined(__CUDA_ARCH__)
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
               : "+d"(sum[0]), "+d"(sum[1])
               : "d"(low), "d"(b));
#endif
}

}  // namespace nearfar

#endif
