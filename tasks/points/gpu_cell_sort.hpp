// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/runtime/gpu_workers.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"
#include "tasks/points/blocked_points.hpp"

#include <memory>

namespace nearfar::detail {

/// Whether a GPU sorts this many points of a frame: into one block, if there are enough
/// to be worth starting, and unless waiting for tasks would mean waiting for oneself.
template <class T>
bool sorts_on_gpu(Frame const& frame, std::size_t points);

/// Like sorted_into_cells, by one task on a GPU (or a CPU, if there is none), in whose memory the points stay. `rows`
/// may be there too; waits for what the caller has launched on streams that synchronise with the default stream.
template <class T>
BlockedPoints<T> sorted_on_gpu(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame,
                               std::span<T const> rows, char const* what, bool keep_unwrapped, bool distinct);

}  // namespace nearfar::detail
