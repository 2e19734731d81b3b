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
/// Throws Error{no_resource} if the library was built for a level alone (-DNEARFAR_SIMD_NATIVE=ON) that is missing
/// here.
SimdLevel simd_level();

/// Numbers in a SIMD vector.
template <class T>
int simd_lanes() {
  int const bytes = simd_level() == SimdLevel::avx512 ? 64 : simd_level() == SimdLevel::avx2 ? 32 : 16;
  return bytes / int(sizeof(T));
}

/// Calls body(tag) with the tag of simd_level().
template <class Body>
void simd_dispatch(Body const& body) {
#ifdef NEARFAR_SIMD_NATIVE
  body(NEARFAR_SIMD_NATIVE{});
#else
  switch (simd_level()) {
    case SimdLevel::avx512: return body(Avx512{});
    case SimdLevel::avx2: return body(Avx2{});
    case SimdLevel::baseline: return body(Baseline{});
  }
#endif
}

}  // namespace nearfar
