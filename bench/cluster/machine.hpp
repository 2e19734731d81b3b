// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <istream>
#include <map>
#include <string>

namespace nearfar::cluster {

/// The nodes of a cluster, each with the same ranks, and how they are connected. Every rank has a wire of its own that
/// carries so much into and out of it at once; messages that are under way together share it evenly.
struct Machine {
  int workers = 1;                              ///< of each rank: they run one task at a time
  int ranks_of_node = 1;                        ///< ranks that follow one another
  double node_bandwidth = 0, node_latency = 0;  ///< within a node, bytes per second and seconds
  double wire_bandwidth = 0, wire_latency = 0;  ///< between nodes
  double task = 0;                              ///< seconds that each task takes beside its work
  std::map<std::string, double> stage;          ///< seconds of a flop; tasks of other stages have no work
};

/// Reads lines of a name and its number, 'stage NAME SECONDS' for stages; what follows a # does not count. Throws
/// std::runtime_error with the line for what is unknown or no number.
Machine read_machine(std::istream& in);

}  // namespace nearfar::cluster
