// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/machine.hpp"
#include "tasks/engine/runtime_state.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar::detail {

enum class Method { ewald, fmm };

/// The CPU workers that are up, as fast as a machine that was not measured.
Machine cpus_alone() noexcept;

/// The workers that a plan of this method can use, as fast as is known: as measured here before (by measure_first or
/// `nearfar tune`), else as the defaults say, and always as they say with NEARFAR_RATES=default in the user's
/// environment. Plans count on no GPUs with portable bodies, nor under schedulers that give a task to whoever asks
/// first. Thread-safe.
template <class T>
Machine machine_for(std::shared_ptr<RuntimeState> const& runtime, Method method, Implementation implementation);

/// Measures this machine briefly (measure_throughputs) and keeps what it finds, if it was not measured yet and solves
/// of so many points are long enough for a better plan to be worth that. Not where CPU workers outnumber processors:
/// what tasks take there says how they are interrupted, and measuring takes very long. Thread-safe.
template <class T>
void measure_first(std::shared_ptr<RuntimeState> const& runtime, std::size_t points);

/// More CPU workers than processors.
bool workers_share_processors() noexcept;

}  // namespace nearfar::detail
