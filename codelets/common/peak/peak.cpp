// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/peak/peak_simd.hpp"
#include "codelets/common/simd/simd.hpp"

#include <nearfar/processor.hpp>

#include <algorithm>
#include <chrono>

namespace nearfar {

template <class T>
double peak_flops() {
  using Clock = std::chrono::steady_clock;
  double best = 0;
  T sum = T(1);
  // The fastest of several bursts of a few tenths of a millisecond: others may use the core too.
  for (int burst = 0; burst < 12; ++burst) {
    auto const start = Clock::now();
    std::int64_t flops = 0;
    simd_dispatch([&](auto tag) { flops = multiply_adds<decltype(tag)>(100000, &sum); });
    std::chrono::duration<double> const seconds = Clock::now() - start;
    best = std::max(best, double(flops) / seconds.count());
    sum = sum / T(64);
  }
  return best;
}

#if !defined(NEARFAR_WITH_GPUS)
GpuPeaks gpu_peaks() { return {}; }
#endif

template double peak_flops<double>();
template double peak_flops<float>();

}  // namespace nearfar
