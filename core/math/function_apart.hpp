// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// A function for host and device that is not inlined, so that rare code takes no registers.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define NEARFAR_FUNCTION_APART __host__ __device__ __attribute__((noinline))
#else
#define NEARFAR_FUNCTION_APART [[gnu::noinline]]
#endif
