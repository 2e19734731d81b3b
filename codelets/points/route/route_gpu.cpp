// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/route/route_gpu.hpp"

namespace nearfar {

void CountRoutes::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_count_routes({b, args}, b.get<std::uint32_t>(2), stream);
}

void RouteRows::gpu(Buffers const& b, Args const& args, void* stream) { launch_route_rows({b, args}, stream); }

}  // namespace nearfar
