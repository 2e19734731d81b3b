// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/route/route_body.hpp"

namespace nearfar {

/// Count and list rows on a stream; return at once. Throw std::runtime_error if the device refuses.
void launch_count_routes(RouteLaunch const& launch, std::uint32_t* first, void* stream);
void launch_route_rows(RouteLaunch const& launch, void* stream);

}  // namespace nearfar
