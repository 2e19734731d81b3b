// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/machine_shape.hpp"
#include "tasks/runtime_state.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar::detail {

/// The workers that are up, CPUs only.
MachineShape cpus_alone() noexcept;

/// The workers that a plan with these options can use. Where P2P may run on GPUs, what it costs there is measured on
/// one of them on the first call ever, and kept, as measured_rates does; with NEARFAR_RATES=default plans do not count
/// on GPUs. Thread-safe.
template <class T>
MachineShape machine_shape(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions const& options);

/// What P2P costs on one worker: seconds per flop and per target.
struct NearRates {
  double flop = 0, target = 0;
};
template <class T>
NearRates measure_near(std::shared_ptr<RuntimeState> const& runtime, unsigned worker, std::size_t points);

}  // namespace nearfar::detail
