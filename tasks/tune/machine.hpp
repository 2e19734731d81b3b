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

/// The workers of all ranks, each of which has those `here`, as fast as those of rank 0. GPUs run all stages if each
/// rank has one: each piece of a grid, of points or of a tree is one rank's, and one GPU's. Pairs of two blocks are
/// summed once where no rank has a GPU. Collective.
Machine of_all_ranks(Ranks const& ranks, Machine const& here);

/// What all ranks plan by, so that they plan alike: of_all_ranks, and the network between them. Measures rank 0's
/// machine first, where so many points are worth it. Collective.
template <class T>
Machine machine_of(Ranks const& ranks, std::shared_ptr<RuntimeState> const& runtime, Method method,
                   Implementation implementation, std::size_t points);

/// Whether each of several ranks has one GPU that can run a stage. Collective.
bool each_has_a_gpu(Ranks const& ranks, starpu_codelet const& stage);

/// Measures this machine briefly (measure_throughputs) and keeps what it finds, if it was not measured yet and solves
/// of so many points are long enough for a better plan to be worth that. Not where CPU workers outnumber processors:
/// what tasks take there says how they are interrupted, and measuring takes very long. Thread-safe.
template <class T>
void measure_first(std::shared_ptr<RuntimeState> const& runtime, std::size_t points);

/// More CPU workers than processors.
bool workers_share_processors() noexcept;

}  // namespace nearfar::detail
