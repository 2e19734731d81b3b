// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <nearfar/runtime.hpp>

#include <string>
#include <vector>

namespace nearfar {

/// The part of a machine that one rank uses, according to the system.
struct RankPlacement {
  int rank = 0;
  std::string machine;     ///< name of the host
  std::string processors;  ///< hardware threads that its CPU workers may use, "0-3,8"; empty without CPU workers
  std::string numa_nodes;  ///< of these processors, "0"; empty if Linux reports none
  std::vector<Worker> workers;
  bool messages_between_gpus = false;  ///< data of solves go from GPU to GPU, not through the hosts; same on all ranks
};

/// The placement of each rank, on rank 0; empty on the others. Every rank calls it, from one thread, in the same order
/// as all other calls. Runs a short task on every CPU worker, after the solves that keep them busy.
std::vector<RankPlacement> placement(Runtime const& runtime);

}  // namespace nearfar
