// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/fmm/choice.hpp"
#include "core/plan/fmm/communication.hpp"
#include "core/plan/fmm/tree_work.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

/// One expansion order and separation on this machine: the times of its work units, and what a tree costs with them.
struct TreeCosts {
  FmmOptions const& options;
  int order;
  double count;  ///< of points
  TreeSight sight;
  Machine const& machine;
  FmmSeconds cpu, gpu;
  bool on_gpu;  ///< all stages
  bool near_in_single;

  std::uint32_t few() const { return few_points(cpu, gpu, machine, on_gpu); }
  double evaluations(TreeWork const& w) const { return w.to_points * cpu.m2p + w.to_locals * cpu.p2l; }
  double seconds(TreeWork const& w) const {
    return w.pairs * cpu.pair + w.interactions * cpu.interaction + w.shifts * 2 * cpu.shift + evaluations(w) +
           w.points * (cpu.source + cpu.target);
  }
  double gpu_seconds(TreeWork const& w) const {
    return machine.gpus > 0 ? w.pairs * gpu.pair + w.interactions * gpu.interaction : 0;
  }
  /// Seconds by which messages lengthen the far part; P2P can hide them.
  double communication(TreeWork const& w) const {
    return fmm_communication_seconds(
        guess_fmm_communication(options.kernel, order, sight.separation, w.boxes, count, machine), machine);
  }
  /// All stages one after the other, divided among all GPUs.
  double seconds_on_gpus(TreeWork const& w, double blocks) const {
    constexpr double stages_of_block = 7;
    double const pairs = w.pairs * gpu.pair / machine.gpus;
    double const all = w.interactions * gpu.interaction + w.shifts * 2 * gpu.shift + w.to_points * gpu.m2p +
                       w.to_locals * gpu.p2l + w.points * (gpu.source + gpu.target) +
                       stages_of_block * blocks * gpu_short_task;
    return gpu_start + all / machine.gpus + std::max(pairs, communication(w));
  }
  double cost(TreeWork const& w) const {
    if (machine.gpus <= 0) {
      double const filler = w.pairs * cpu.pair + w.to_points * cpu.m2p;
      return std::max(seconds(w), seconds(w) - filler + machine.cpus * communication(w));
    }
    double const blocks = gpu_blocks(machine, seconds(w), gpu_seconds(w), on_gpu);
    if (on_gpu) return seconds_on_gpus(w, blocks);
    SharedWork const pairs{w.pairs * cpu.pair, w.pairs * gpu.pair + blocks * gpu_task, w.pairs * cpu.pair / blocks},
        interactions{w.interactions * cpu.interaction, w.interactions * gpu.interaction + blocks * gpu_task,
                     w.interactions * cpu.interaction / blocks},
        shifts{w.shifts * 2 * cpu.shift, w.shifts * 2 * gpu.shift},
        sources{w.points * (cpu.source - cpu.particle), w.points * gpu.source + blocks * gpu_short_task},
        targets{w.points * (cpu.target - cpu.particle), w.points * gpu.target + blocks * gpu_short_task},
        others{evaluations(w)}, ends{w.points * cpu.particle};
    auto const span = [&](SharedWork const& work) { return span_seconds(work, blocks, machine.cpus, machine.gpus); };
    double const up = gpu_start + span(ends) + span(sources);
    return up +
           std::max(shared_seconds({pairs, interactions, shifts, targets, others, ends}, machine.cpus, machine.gpus),
                    span(interactions) + span(shifts) + span(targets) + span(ends) + communication(w));
  }
  /// Points per leaf of a uniform tree that balance near and far part (fmm.md, Sec. 1.6).
  double balanced() const {
    double const interaction = machine.gpus > 0 ? gpu.interaction : cpu.interaction,
                 pair = machine.gpus > 0 ? gpu.pair : cpu.pair;
    return std::sqrt(far_boxes(sight.separation) * interaction / (near_boxes(sight.separation) * pair));
  }
};

}  // namespace nearfar
