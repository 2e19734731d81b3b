// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/machine_shape.hpp"
#include "tasks/runtime_state.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar::detail {

/// The workers that are up, CPUs only.
MachineShape cpus_alone() noexcept;

/// The workers that a plan with these options can use. Where P2P may run on GPUs, what it costs there is measured on
/// one of them on the first call ever with this kernel, and kept, as measured_rates does. With NEARFAR_RATES=default
/// plans do not count on GPUs, nor under schedulers that give a task to whoever asks first. Thread-safe.
template <class T>
MachineShape machine_shape(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions const& options);

/// What P2P costs on one worker, as in MachineShape: seconds per flop, per target, per flop of one target in each task,
/// per task.
struct NearRates {
  double flop = 0, target = 0, latency = 0, task = 0;
};

/// A near part that was timed.
struct NearTime {
  double seconds, flops, tasks, targets;
};
/// Of many targets and of few, with a long and a short cutoff.
struct NearTimes {
  NearTime many, many_short, few, few_short;
};
NearRates fit_near_rates(NearTimes const& times);

/// Measured with `points` and a tenth of them and the kernel of `options`, or by StarPU's models: then 0 where they do
/// not know all tasks.
template <class T>
NearRates measure_near(std::shared_ptr<RuntimeState> const& runtime, EwaldOptions options, unsigned worker,
                       std::size_t points, bool ask_models = false);

}  // namespace nearfar::detail
