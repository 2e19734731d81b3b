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

extern template double peak_flops<double>();
extern template double peak_flops<float>();

}  // namespace nearfar
