// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/trace/trace_file.hpp"

#include <cstdint>

namespace nearfar::cli {

/// What one rank has seen.
struct RankPart {
  /// What it sent to another rank, or got from there.
  struct Passage {
    int solve = 0, peer = 0;
    bool sent = false;
    double start = 0, end = 0, bytes = 0;  ///< of what it got, both times are the arrival
    std::int64_t writer = -1;              ///< the task whose result was sent
    std::vector<std::size_t> readers;      ///< tasks that waited for what came
  };
  Trace trace;  ///< as of one rank
  int rank = 0;
  double zero = 0;             ///< where its times begin, by the clock of rank 0
  std::vector<bool> together;  ///< of its solves: all ranks solved it
  std::vector<Passage> passages;
};

/// All ranks, by rank, in one time line; of one what it is. The n-th solve of all ranks together is the same for each,
/// and so is the n-th message that goes in it from one rank to another. Tasks are in the order in which they started.
Trace merged(std::vector<RankPart> parts);

}  // namespace nearfar::cli
