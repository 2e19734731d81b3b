// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/simd/simd.hpp"

#include <algorithm>
#include <cstdlib>
#include <nearfar/error.hpp>
#include <string>
#include <xsimd/xsimd.hpp>

namespace nearfar {

namespace {

constexpr char const* level_names[] = {"baseline", "avx2", "avx512"};

#ifdef NEARFAR_SIMD_NATIVE
constexpr SimdLevel level_of(Baseline) { return SimdLevel::baseline; }
constexpr SimdLevel level_of(Avx2) { return SimdLevel::avx2; }
constexpr SimdLevel level_of(Avx512) { return SimdLevel::avx512; }

SimdLevel wished(SimdLevel best) {
  SimdLevel const only = level_of(NEARFAR_SIMD_NATIVE{});
  if (best >= only) return only;
  throw Error(Fault::no_resource, std::string("this nearfar was built for ") + level_names[int(only)] +
                                      " alone, and this processor has " + level_names[int(best)] +
                                      " at best; build it without -DNEARFAR_SIMD_NATIVE=ON");
}
#else
SimdLevel wished(SimdLevel best) {
  char const* wish = std::getenv("NEARFAR_SIMD");
  if (wish == nullptr) return best;
  std::string const name = wish;
  if (name == "baseline") return SimdLevel::baseline;
  if (name == "avx2") return std::min(best, SimdLevel::avx2);
  return best;
}
#endif

SimdLevel best_level() noexcept {
  auto const has = xsimd::available_architectures();
  SimdLevel best = SimdLevel::baseline;
  if (has.fma3_avx2) best = SimdLevel::avx2;
  if (has.avx512bw && has.fma3_avx2) best = SimdLevel::avx512;
  return best;
}

}  // namespace

SimdLevel simd_level() {
  static SimdLevel const level = wished(best_level());
  return level;
}

std::string simd_level_name() { return level_names[int(simd_level())]; }

}  // namespace nearfar
