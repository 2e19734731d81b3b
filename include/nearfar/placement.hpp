// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/runtime.hpp>

#include <string>
#include <vector>

namespace nearfar {

/// What one rank has of its machine, as the system says.
struct RankPlacement {
  int rank = 0;
  std::string machine;     ///< name of the host
  std::string processors;  ///< hardware threads that its CPU workers may use, "0-3,8"; empty without CPU workers
  std::string numa_nodes;  ///< of these, "0"; empty where Linux tells none
  std::vector<Worker> workers;
};

/// By rank, on rank 0; on the others nothing. Every rank calls it, from one thread, in the same order as all else.
/// Starts a short task on every CPU worker, and waits for solves that keep them busy.
std::vector<RankPlacement> placement(Runtime const& runtime);

}  // namespace nearfar
