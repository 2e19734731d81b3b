// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/throughput.hpp"

#include <array>

namespace nearfar {

/// What work costs a reference core (core/plan/throughput.hpp), in seconds: the constants of core/plan/ewald/work.cpp
/// and core/plan/fmm/costs.cpp. Each is a part of the time of one row of the table of throughputs, in proportion to a
/// number that the plan knows. `nearfar-bench fit --write core/plan/constants.hpp` solves for all of them but the last
/// group from CPU times of those stages in some thirty solves (bench/fit/solves.cpp), and writes them here.
struct WorkConstants {
  // Ewald sums.
  double per_number = 4.8e-9;                ///< bin, reduce and merge: per strength of a source and result of a target
  double per_target = 8.5e-8;                ///< p2p: per target
  double per_quad = 1.9e-10;                 ///< p2p: per evaluated pair and four numbers of the packed source
  double per_degree = 2.5e-11;               ///< p2p: per evaluated pair, polynomial and degree
  double per_spread_point = 1.5e-8;          ///< p2g: per source
  double per_spread = 5.5e-11;               ///< p2g: per grid point of a window and component
  double per_slab_number = 7e-10;            ///< p2g: per number of the slabs, however few the points
  double per_plane_mode = 3.6e-9;            ///< fft, ifft: per mode and component
  double per_column_mode = 3e-9;             ///< scale: the same
  double per_column_mode_of_table = 3.8e-9;  ///< scale with a table: columns beyond the band are transformed too
  double per_gathered_point = 5e-8;          ///< g2p: per target
  double per_potential = 4.1e-11;            ///< g2p: per grid point of a window, a potential
  double per_gradient = 8.2e-11;             ///< g2p: the same, potential and gradient
  double per_velocity = 1.75e-10;            ///< g2p: the same, a velocity
  // The multipole method.
  double per_pair_flop = 1.5e-11;        ///< leaf_p2p: per flop
  double per_source = 5e-11;             ///< p2m: per source and harmonic, weighted (Ends in core/plan/fmm/costs.cpp)
  double per_shift_flop = 1.9e-11;       ///< m2m, l2l: per flop
  double per_interaction = 3e-9;         ///< m2l: per interaction and right-hand side, whatever the order
  double per_m2l_flop = 1.25e-11;        ///< m2l: per flop
  double per_target_value = 1.6e-11;     ///< l2p: per target and harmonic, weighted
  double per_evaluation_flop = 2.5e-11;  ///< m2p, p2l: per flop
  double per_particle = 3e-8;            ///< bin and merge: per point
  // Not fitted: measured by hand, on an H200, and for tables of the influence function, which are made with a plan.
  double per_flop = 6.9e-12;       ///< p2p on GPUs, which do not sum pairs mutually: per flop
  double per_gpu_pair = 1.04e-9;   ///< p2p on GPUs: per pair within the cutoff, which has to be found
  double per_gpu_target = 1.8e-7;  ///< p2p on GPUs: per target
  double per_table_point = 3e-9;   ///< per point of the transforms that make such a table
  /// p2p: of what a pair takes alone, the search and the factors, which vectors that are summed together share. By hand
  /// (docs/performance.md): 0.82 in single precision, 0.72 in double.
  double shared_of_pair = 0.75;
};
inline constexpr WorkConstants work_constants{};

/// What a solve takes on GPUs beside the work of its stages, in seconds, on an H200 with 16 cores. `nearfar-bench fit
/// --of-gpu --write core/plan/constants.hpp` fits all but `multipole_review` and `chained_stage` to whole solves of 1e4
/// to 1e6 charges with arrays there and on the host; these were found by hand from such solves (`nearfar-bench steps`).
struct GpuConstants {
  double chain = 8e-5;              ///< a captured Ewald sum: submitted, and handed over
  double multipole_chain = 1.1e-4;  ///< the same of a multipole sum, with what its short kernels wait for each other
  double review = 2e-5;             ///< of an Ewald sum: squares of its rows are added beside it, and read
  double multipole_review = 3e-4;   ///< beside the pairs of the sample, estimated: its rows are read back
  double chained_stage = 1.5e-5;    ///< each stage of an Ewald sum, launched from the captured graph
  double byte = 1.1e-10;            ///< of the caller's arrays on the host, which the driver copies
  double pinned_byte = 4.5e-11;     ///< the same by way of pinned memory
};
inline constexpr GpuConstants gpu_constants{};

/// Of a solve that is predicted to take so long as single tasks on one GPU, each of its stages `task` beside its work:
/// as a captured chain, where `start` is what such tasks wait for at first, and the graph takes `chain`.
constexpr double chain_seconds(double as_tasks, double stages, double task, double start, double chain) {
  return as_tasks - start - stages * (task - gpu_constants.chained_stage) + chain;
}

/// A constant that is fitted, and the stages whose time it is a part of.
struct FittedConstant {
  char const* name;
  double WorkConstants::*member;
  WorkRow row;
};
#define NEARFAR_FITTED(member, row) \
  FittedConstant { #member, &WorkConstants::member, WorkRow::row }
inline constexpr std::array fitted_constants{NEARFAR_FITTED(per_number, points),
                                             NEARFAR_FITTED(per_target, p2p),
                                             NEARFAR_FITTED(per_quad, p2p),
                                             NEARFAR_FITTED(per_degree, p2p),
                                             NEARFAR_FITTED(per_spread_point, p2g),
                                             NEARFAR_FITTED(per_spread, p2g),
                                             NEARFAR_FITTED(per_slab_number, p2g),
                                             NEARFAR_FITTED(per_plane_mode, fft),
                                             NEARFAR_FITTED(per_column_mode, scale),
                                             NEARFAR_FITTED(per_column_mode_of_table, scale),
                                             NEARFAR_FITTED(per_gathered_point, g2p),
                                             NEARFAR_FITTED(per_potential, g2p),
                                             NEARFAR_FITTED(per_gradient, g2p),
                                             NEARFAR_FITTED(per_velocity, g2p),
                                             NEARFAR_FITTED(per_pair_flop, leaf_p2p),
                                             NEARFAR_FITTED(per_source, p2m),
                                             NEARFAR_FITTED(per_shift_flop, shift),
                                             NEARFAR_FITTED(per_interaction, m2l),
                                             NEARFAR_FITTED(per_m2l_flop, m2l),
                                             NEARFAR_FITTED(per_target_value, l2p),
                                             NEARFAR_FITTED(per_evaluation_flop, evaluation),
                                             NEARFAR_FITTED(per_particle, points)};
#undef NEARFAR_FITTED

}  // namespace nearfar
