// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/rates.hpp"
#include "tasks/runtime_state.hpp"

#include <nearfar/fmm.hpp>

namespace nearfar::detail {

/// As measured_rates (tasks/rates.hpp), for the stages of the multipole method.
template <class T>
FmmRates measured_fmm_rates(std::shared_ptr<RuntimeState> const& runtime);

/// The workers that a plan with these options can use, and what the stages cost there. What they cost on a GPU is
/// measured on one of them on the first call ever (about a second), and kept; StarPU's models, which know nothing of
/// what a GPU waits for, do not change it. With NEARFAR_RATES=default plans do not count on GPUs, nor under schedulers
/// that give a task to whoever asks first. Thread-safe.
template <class T>
FmmMachine fmm_machine(std::shared_ptr<RuntimeState> const& runtime, Implementation implementation);

}  // namespace nearfar::detail
