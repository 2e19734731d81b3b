// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nearfar {

/// The instruction set that the SIMD bodies use on this machine's CPU workers: "baseline", "avx2" or "avx512". The
/// best that there is, or the one that NEARFAR_SIMD names in the environment.
std::string simd_level_name();

/// Floating-point operations per second that the calling thread reaches with that instruction set, in chains of
/// multiply-adds that do not wait for each other (two operations each; where there is no such instruction, a
/// multiplication and an addition). Measured anew by every call, in a few milliseconds. T is double or float.
template <class T>
double peak_flops();

extern template double peak_flops<double>();
extern template double peak_flops<float>();

}  // namespace nearfar
