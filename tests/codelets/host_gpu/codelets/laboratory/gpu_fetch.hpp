// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/gpu_alias.hpp"

// In the place of codelets/laboratory/gpu_fetch.hpp where a test runs a .cu file on the host.
inline bool gpu_is_there() { return true; }
inline GpuStatus gpu_fetch(void* to, void const* from, std::size_t bytes) { return gpu_upload(to, from, bytes); }
