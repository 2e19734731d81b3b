// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/fmm/errors.hpp"
#include "core/fmm/options.hpp"
#include "core/plan/fmm/costs.hpp"
#include "core/plan/fmm/tree_work.hpp"
#include "core/tree/tree.hpp"

#include <nearfar/fmm.hpp>

namespace nearfar {

/// The deepest level on which all leaves may be: the one asked for, or the last that a choice looks at.
inline int deepest_uniform(FmmOptions const& options) { return options.depth.value_or(9); }

/// What a tree is expected to cost.
struct FmmChoice {
  int order = 1, separation = 1, depth = 0, capacity = 0;
  double stretch = 1;           ///< edge of the root by that of the least one
  double seconds = 0;           ///< of one CPU worker that does all
  double gpu_seconds = 0;       ///< of one GPU that does all P2P and M2L, without what tasks cost; 0 without GPUs
  bool on_gpu = false;          ///< that it runs all stages
  int gpus = 0;                 ///< that share the sum
  bool near_in_single = false;  ///< pairs, inside a solve in double
  double cost = 0;  ///< what was compared: those, or with GPUs the seconds of all workers that share the work
  double boxes = 0;
  double crowd = 0;  ///< points that a point finds in its leaf, itself included
  double error = 0;
};

/// Chooses what the options leave open by expected cost. `trees` are those of the points in the least root; trees that
/// follow the points end at `level`. Pure: the same request and machine, the same answer, whoever has the points.
template <class T>
FmmChoice choose_fmm(FmmOptions const& options, PointTrees const& trees, int level, double targets,
                     Machine const& machine = default_machine<T>());

/// The same for `count` points spread evenly over a cube or cell.
template <class T>
FmmChoice choose_fmm_for_uniform(FmmOptions const& options, double count,
                                 Machine const& machine = default_machine<T>());

}  // namespace nearfar
