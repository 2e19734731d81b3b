// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_alias.hpp"

// cuFFT and hipFFT under common names, for .cu files.
#if defined(__HIPCC__)
#include <hipfft/hipfft.h>
#define NEARFAR_GPU_FFT(name) hipfft##name
#define NEARFAR_GPU_FFT_CONSTANT(name) HIPFFT_##name
#else
#include <cufft.h>
#define NEARFAR_GPU_FFT(name) cufft##name
#define NEARFAR_GPU_FFT_CONSTANT(name) CUFFT_##name
#endif

namespace nearfar {

using GpuFftPlan = NEARFAR_GPU_FFT(Handle);

inline void gpu_fft_expect(NEARFAR_GPU_FFT(Result) status, std::string const& what) {
  if (status != NEARFAR_GPU_FFT_CONSTANT(SUCCESS))
    throw std::runtime_error(what + " (the FFT library's status " + std::to_string(int(status)) + ")");
}

/// Types and calls for one precision.
template <class T>
struct GpuFft;

template <>
struct GpuFft<double> {
  using Real = NEARFAR_GPU_FFT(DoubleReal);
  using Complex = NEARFAR_GPU_FFT(DoubleComplex);
  static constexpr auto forward_type = NEARFAR_GPU_FFT_CONSTANT(D2Z), inverse_type = NEARFAR_GPU_FFT_CONSTANT(Z2D),
                        complex_type = NEARFAR_GPU_FFT_CONSTANT(Z2Z);
  static auto forward(GpuFftPlan p, Real* in, Complex* out) { return NEARFAR_GPU_FFT(ExecD2Z)(p, in, out); }
  static auto inverse(GpuFftPlan p, Complex* in, Real* out) { return NEARFAR_GPU_FFT(ExecZ2D)(p, in, out); }
  static auto complex(GpuFftPlan p, Complex* in, Complex* out, int sign) {
    return NEARFAR_GPU_FFT(ExecZ2Z)(p, in, out, sign);
  }
};

template <>
struct GpuFft<float> {
  using Real = NEARFAR_GPU_FFT(Real);
  using Complex = NEARFAR_GPU_FFT(Complex);
  static constexpr auto forward_type = NEARFAR_GPU_FFT_CONSTANT(R2C), inverse_type = NEARFAR_GPU_FFT_CONSTANT(C2R),
                        complex_type = NEARFAR_GPU_FFT_CONSTANT(C2C);
  static auto forward(GpuFftPlan p, Real* in, Complex* out) { return NEARFAR_GPU_FFT(ExecR2C)(p, in, out); }
  static auto inverse(GpuFftPlan p, Complex* in, Real* out) { return NEARFAR_GPU_FFT(ExecC2R)(p, in, out); }
  static auto complex(GpuFftPlan p, Complex* in, Complex* out, int sign) {
    return NEARFAR_GPU_FFT(ExecC2C)(p, in, out, sign);
  }
};

}  // namespace nearfar
