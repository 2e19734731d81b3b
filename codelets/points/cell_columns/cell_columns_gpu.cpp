// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/cell_columns/cell_columns_gpu.hpp"

namespace nearfar {

void CountCells::gpu(Buffers const& b, Args const& args, void* stream) { launch_count_cells({b, args}, stream); }

}  // namespace nearfar
