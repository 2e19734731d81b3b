// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/parameters.hpp"
#include "tasks/runtime_state.hpp"

namespace nearfar::detail {

/// What the stages cost on this machine, on one CPU worker while all work: measured by small solves, and one that keeps
/// all workers busy, on the first call ever with so many of them (a few tenths of a second), then read from the user's
/// folder, so that the same request gives the same plan. After `bench calibrate` StarPU's models of task times tell
/// what a stage costs, and the rates only how that depends on the plan. NEARFAR_RATES=default in the environment takes
/// the defaults of core/rates.hpp instead: the same plan on every machine. Thread-safe.
template <class T>
Rates measured_rates(std::shared_ptr<RuntimeState> const& runtime);

}  // namespace nearfar::detail
