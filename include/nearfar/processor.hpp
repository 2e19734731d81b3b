// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nearfar {

/// The instruction set of the SIMD bodies on this machine's CPU workers: "baseline", "avx2" or "avx512". It is the best
/// available one, or that of the environment variable NEARFAR_SIMD.
std::string simd_level_name();

/// Floating-point operations per second that the calling thread reaches with that instruction set, in independent
/// chains of multiply-adds (two operations each; without such an instruction, a multiplication and an addition). Every
/// call measures for a few milliseconds. T is double or float.
template <class T>
double peak_flops();

/// What the first GPU reaches: floating-point operations per second of multiply-adds (two each), and bytes per second,
/// read and written, of a copy within its memory. All 0 where there is none, or no code for it.
struct GpuPeaks {
  double double_flops = 0, single_flops = 0, bytes = 0;
};

/// Measures for a few hundredths of a second, with 2 GiB of the GPU's memory. Throws std::runtime_error if it refuses.
GpuPeaks gpu_peaks();

extern template double peak_flops<double>();
extern template double peak_flops<float>();

}  // namespace nearfar
