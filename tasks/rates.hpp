// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/parameters.hpp"
#include "tasks/runtime_state.hpp"

namespace nearfar::detail {

/// What the stages cost on this machine, on one CPU worker: measured by small solves on the first call ever (a few
/// tenths of a second), then read from the user's folder, so that the same request gives the same plan.
/// NEARFAR_RATES=default in the environment takes the defaults of core/parameters.hpp instead: the same plan on every
/// machine. Thread-safe.
template <class T>
Rates measured_rates(std::shared_ptr<RuntimeState> const& runtime);

}  // namespace nearfar::detail
