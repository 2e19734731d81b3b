// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// The GPU that has this memory, by the number that its driver gives it; -1 for memory of the host.
int gpu_with(void const* memory);

}  // namespace nearfar
