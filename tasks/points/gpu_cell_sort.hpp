// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/gpu_workers.hpp"
#include "tasks/engine/runtime_state.hpp"
#include "tasks/points/blocked_points.hpp"

#include <memory>

namespace nearfar::detail {

/// Whether so many points of a frame are sorted by a GPU: into one block, by more than it takes to begin, and not where
/// waiting for tasks would be waiting for oneself.
template <class T>
bool sorts_on_gpu(Frame const& frame, std::size_t points);

/// As sorted_into_cells, by one task on a GPU (a CPU, if there is none), in whose memory the points stay. `rows` may be
/// there too; what the caller has launched on streams that wait for the default one has ended when they are read.
template <class T>
BlockedPoints<T> sorted_on_gpu(std::shared_ptr<RuntimeState> const& runtime, Frame const& frame,
                               std::span<T const> rows, char const* what, bool keep_unwrapped, bool distinct);

}  // namespace nearfar::detail
