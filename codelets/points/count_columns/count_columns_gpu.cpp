// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/count_columns/count_columns_gpu.hpp"

namespace nearfar {

void CountColumns::gpu(Buffers const& b, Args const& args, void* stream) { launch_count_columns({b, args}, stream); }

}  // namespace nearfar
