// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/solve/observer.hpp"

#include <memory>

namespace nearfar::detail {

/// Writes a trace into the folder that the options name; null if they
/// name none. With several ranks, rank 0 writes what all have recorded.
std::unique_ptr<Observer> make_tracer(RuntimeOptions const& options);

}  // namespace nearfar::detail
