// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/description.hpp"
#include "core/plan/constants.hpp"
#include "core/plan/machine.hpp"

#include <nearfar/ewald.hpp>

namespace nearfar {

/// The stages of a solve, in seconds of one worker of each kind that does all of them.
struct Work {
  SharedWork pairs;   ///< p2p
  SharedWork points;  ///< bin, reduce and merge
  SharedWork spread;
  SharedWork gather;
  SharedWork planes;  ///< fft and ifft
  SharedWork columns;
  double communication = 0;  ///< messages that the far part waits for, of several ranks; no worker does
  double table = 0;          ///< a solve's share in what is made once by all CPU workers, in seconds of one of them
  double targets = 0;        ///< no seconds: how many

  // Of one CPU worker:
  double near() const noexcept { return pairs.cpu + points.cpu; }
  double far() const noexcept { return spread.cpu + gather.cpu + planes.cpu + columns.cpu; }
  double total() const noexcept { return near() + far(); }
};

/// `degree` is the degree of the near layers; `clustering` the number of pairs within the cutoff, in those of evenly
/// spread points.
Work predict_work(EwaldOptions const& options, EwaldPlanning const& parameters, double degree, double sources,
                  double targets, Machine const& machine, double clustering,
                  WorkConstants const& constants = work_constants);

/// Whether vectors of strengths of this kernel are summed together (core/kernels/several.hpp).
bool sums_several(KernelDescription const& kernel);

/// What pairs take on CPUs for each of so many vectors of strengths that are summed at once, beside one alone.
double pairs_of_each(KernelDescription const& kernel, int vectors, WorkConstants const& constants = work_constants);

/// Pairs within the cutoff.
double count_pairs(EwaldOptions const& options, double cutoff, double sources, double targets, double clustering);

/// P2P tasks that GPUs want: one each if they do all; else long ones, and enough blocks for the CPUs' share of the
/// work.
double gpu_tasks(Work const& work, Machine const& machine) noexcept;

/// The stages beside P2P, each a task on a GPU.
inline constexpr double far_gpu_stages = 9;

/// Seconds of one GPU in P2P, tasks included; 0 without GPUs.
double near_gpu_seconds(Work const& work, Machine const& machine) noexcept;
/// The same for all other stages.
double far_gpu_seconds(Work const& work, Machine const& machine) noexcept;

/// What a plan is judged by: seconds of the best schedule, in seconds of one CPU worker, so that without GPUs the
/// number of workers does not matter. Of several ranks, no less than the far part and its messages take, which the near
/// part can fill but not shorten.
double cost_of(Work const& work, Machine const& machine);

}  // namespace nearfar
