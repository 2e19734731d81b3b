// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "bench/cluster/graph_file.hpp"
#include "bench/cluster/machine.hpp"

#include <map>
#include <string>
#include <vector>

namespace nearfar::cluster {

/// What a rank did.
struct RankUse {
  double busy = 0;                      ///< seconds of its workers in tasks
  double sent = 0, received = 0;        ///< bytes
  std::map<std::string, double> stage;  ///< seconds in each
};

struct Simulated {
  double seconds = 0;  ///< until the last step has ended
  std::vector<RankUse> ranks;
};

/// Runs a graph on a machine by SimGrid, once in a process: a worker takes the ready task of highest priority, the one
/// that was inserted first among equals; a message begins when all it waits for has ended. Messages that become ready
/// at once, from one rank to another, go as one. Throws std::runtime_error if steps are left that wait for each other.
Simulated simulate(std::vector<Step> steps, Machine const& machine, int* argc, char** argv);

}  // namespace nearfar::cluster
