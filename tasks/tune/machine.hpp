// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/machine.hpp"
#include "tasks/engine/runtime/runtime_state.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar::detail {

enum class Method { ewald, fmm };

/// The present CPU workers, with the speed of an unmeasured machine.
Machine cpus_alone() noexcept;

/// The workers that a plan of this method can use, with the speeds that were measured here
/// (by measure_first or `nearfar tune`), or else the defaults; always the defaults if
/// NEARFAR_RATES=default is in the user's environment. Plans count on no GPUs with portable
/// bodies, nor under schedulers that give a task to whoever asks first. Thread-safe.
template <class T>
Machine machine_for(std::shared_ptr<RuntimeState> const& runtime, Method method, Implementation implementation);

/// The workers of all ranks, each of which has those `here`, with the speeds of rank 0. GPUs
/// run all stages if all ranks have as many: each piece of a grid, of points or of a tree belongs
/// to one rank and one GPU. Pairs of two blocks are summed once if no rank has a GPU. Collective.
Machine of_all_ranks(Ranks const& ranks, Machine const& here);

/// What all ranks plan by, so that they plan alike: of_all_ranks, and the network between
/// them. First measures rank 0's machine, if this many points are worth it. Collective.
template <class T>
Machine machine_of(Ranks const& ranks, std::shared_ptr<RuntimeState> const& runtime, Method method,
                   Implementation implementation, std::size_t points);

/// Whether there are several ranks, each with one GPU that can run a stage. Collective.
bool each_has_a_gpu(Ranks const& ranks, starpu_codelet const& stage);

/// Measures this machine briefly (measure_throughputs) and keeps the result, unless it was measured before or
/// solves of this many points are too short for a better plan to pay. Not if there are more CPU workers than
/// processors: times would reflect how they interrupt each other, and measuring would take very long. Thread-safe.
template <class T>
void measure_first(std::shared_ptr<RuntimeState> const& runtime, std::size_t points);

/// Whether there are more CPU workers than processors.
bool workers_share_processors() noexcept;

}  // namespace nearfar::detail
