// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// Marks what host and device both compile.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define NEARFAR_FUNCTION __host__ __device__ inline
#else
#define NEARFAR_FUNCTION inline
#endif
