// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/processor.hpp>  // simd_level_name

namespace nearfar {

/// Instruction sets for which the SIMD bodies are compiled; only
/// tags, because all translation units include this header.
struct Baseline {};
struct Avx2 {};
struct Avx512 {};

enum class SimdLevel { baseline, avx2, avx512 };

/// The best level of this machine, or the one that NEARFAR_SIMD (baseline, avx2, avx512) names if available.
SimdLevel simd_level() noexcept;

/// Numbers in a SIMD vector.
template <class T>
int simd_lanes() noexcept {
  int const bytes = simd_level() == SimdLevel::avx512 ? 64 : simd_level() == SimdLevel::avx2 ? 32 : 16;
  return bytes / int(sizeof(T));
}

/// Calls body(tag) with the tag of simd_level().
template <class Body>
void simd_dispatch(Body const& body) {
  switch (simd_level()) {
    case SimdLevel::avx512: return body(Avx512{});
    case SimdLevel::avx2: return body(Avx2{});
    case SimdLevel::baseline: return body(Baseline{});
  }
}

}  // namespace nearfar
