// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Marks functions for host and device. Always inlined on the host: if the linker picked a
/// copy from a unit that was compiled for newer instruction sets, older machines would crash.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define NEARFAR_FUNCTION __host__ __device__ inline
#else
#define NEARFAR_FUNCTION [[gnu::always_inline]] inline
#endif

/// Before a template for host and device that calls what it is given, and so is for hosts alone where that is: nvcc
/// takes such a call for an error elsewhere (cmake/NearfarGpu.cmake).
#if defined(__CUDACC__)
#define NEARFAR_CALLS_WHAT_IT_IS_GIVEN _Pragma("nv_exec_check_disable")
#else
#define NEARFAR_CALLS_WHAT_IT_IS_GIVEN
#endif

/// How far a device compiler unrolls the following loop; host compilers decide for themselves.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define NEARFAR_PRAGMA(text) _Pragma(#text)
#define NEARFAR_DEVICE_UNROLL(times) NEARFAR_PRAGMA(unroll times)
#else
#define NEARFAR_DEVICE_UNROLL(times)
#endif
