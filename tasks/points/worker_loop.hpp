// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/tree/loop.hpp"
#include "tasks/engine/runtime_state.hpp"

#include <memory>

namespace nearfar::detail {

/// Loops over so many points, or what comes of them: as tasks on all CPU workers, beside solves in flight, while the
/// caller waits; by the caller where that is quicker (sort_workers). Not for bodies that throw what is to be told of
/// the caller's input: the message would name the task.
Loop worker_loop(std::shared_ptr<RuntimeState> const& runtime, std::size_t points);

}  // namespace nearfar::detail
