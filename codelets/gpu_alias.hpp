// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// CUDA and HIP under one set of names, for .cu files that nvcc and hipcc both compile.
#if defined(__HIPCC__)
#include <hip/hip_runtime.h>
using GpuStream = hipStream_t;
using GpuStatus = hipError_t;
inline constexpr GpuStatus gpu_success = hipSuccess;
inline GpuStatus gpu_last_status() { return hipGetLastError(); }
inline char const* gpu_text(GpuStatus status) { return hipGetErrorString(status); }
/// The value of the thread whose number differs by `distance`, a power of two; the whole warp takes part.
template <class T>
__device__ T gpu_exchange(T value, int distance) {
  return __shfl_xor(value, distance);
}
#else
#include <cuda_runtime.h>
using GpuStream = cudaStream_t;
using GpuStatus = cudaError_t;
inline constexpr GpuStatus gpu_success = cudaSuccess;
inline GpuStatus gpu_last_status() { return cudaGetLastError(); }
inline char const* gpu_text(GpuStatus status) { return cudaGetErrorString(status); }
#if defined(__CUDACC__)
/// The value of the thread whose number differs by `distance`, a power of two; the whole warp takes part.
template <class T>
__device__ T gpu_exchange(T value, int distance) {
  return __shfl_xor_sync(0xffffffffu, value, distance);
}
#endif
#endif
