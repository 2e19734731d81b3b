// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// What CUDA's and HIP's runtimes call alike, and gpu_alias.hpp has no name for.
#if defined(__HIPCC__)
#define NEARFAR_GPU(name) hip##name
#else
#define NEARFAR_GPU(name) cuda##name
#endif
