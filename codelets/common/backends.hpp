// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// Whether bodies for GPUs are compiled, from the same sources for CUDA and HIP, and those of transforms, which need
/// cuFFT or hipFFT. Stages declare all bodies; only these constants say which ones there are.
#if defined(NEARFAR_WITH_GPUS)
inline constexpr bool gpus_built = true;
#else
inline constexpr bool gpus_built = false;
#endif
#if defined(NEARFAR_WITH_GPU_FFT)
inline constexpr bool gpu_transforms_built = true;
#else
inline constexpr bool gpu_transforms_built = false;
#endif

}  // namespace nearfar
