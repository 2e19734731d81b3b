// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/simd.hpp"

#include <algorithm>
#include <cstdlib>
#include <xsimd/xsimd.hpp>

namespace nearfar {

namespace {

SimdLevel detect() noexcept {
  auto const has = xsimd::available_architectures();
  SimdLevel best = SimdLevel::baseline;
  if (has.fma3_avx2) best = SimdLevel::avx2;
  if (has.avx512bw && has.fma3_avx2) best = SimdLevel::avx512;
  char const* wish = std::getenv("NEARFAR_SIMD");
  if (wish == nullptr) return best;
  std::string const name = wish;
  if (name == "baseline") return SimdLevel::baseline;
  if (name == "avx2") return std::min(best, SimdLevel::avx2);
  return best;
}

}  // namespace

SimdLevel simd_level() noexcept {
  static SimdLevel const level = detect();
  return level;
}

std::string simd_level_name() {
  switch (simd_level()) {
    case SimdLevel::avx512: return "avx512";
    case SimdLevel::avx2: return "avx2";
    case SimdLevel::baseline: break;
  }
  return "baseline";
}

}  // namespace nearfar
