// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Marks what host and device both compile. On the host it is always inlined: some translation units are compiled for
/// newer instruction sets, and a copy of theirs that the linker picked for all would crash older machines.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define NEARFAR_FUNCTION __host__ __device__ inline
#else
#define NEARFAR_FUNCTION [[gnu::always_inline]] inline
#endif

/// How often a device compiler unrolls the loop that follows; hosts decide by themselves.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define NEARFAR_PRAGMA(text) _Pragma(#text)
#define NEARFAR_DEVICE_UNROLL(times) NEARFAR_PRAGMA(unroll times)
#else
#define NEARFAR_DEVICE_UNROLL(times)
#endif
