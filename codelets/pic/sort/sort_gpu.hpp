// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/sort/sort_team.hpp"

namespace nearfar {

/// Sorts a block by cells on a stream; returns at once. `order`: as
/// in pic_grid.hpp. Throws std::runtime_error if the device refuses.
template <class T>
void launch_sort(PicGrid const& grid, std::int64_t count, T const* phase, T const* charge, T* sorted,
                 std::int32_t* order, void* stream);

}  // namespace nearfar
