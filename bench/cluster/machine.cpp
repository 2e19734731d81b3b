// SPDX-License-Identifier: BSD-3-Clause
#include "bench/cluster/machine.hpp"

#include <sstream>
#include <stdexcept>

namespace nearfar::cluster {

Machine read_machine(std::istream& in) {
  Machine machine;
  std::map<std::string, double*> const numbers{{"node_bandwidth", &machine.node_bandwidth},
                                               {"node_latency", &machine.node_latency},
                                               {"wire_bandwidth", &machine.wire_bandwidth},
                                               {"wire_latency", &machine.wire_latency},
                                               {"task", &machine.task}};
  std::map<std::string, int*> const counts{{"workers", &machine.workers}, {"ranks_of_node", &machine.ranks_of_node}};
  for (std::string text; std::getline(in, text);) {
    std::istringstream line(text.substr(0, text.find('#')));
    std::string name, stage, rest;
    if (!(line >> name)) continue;
    if (name == "stage") line >> stage;
    double value = -1;
    line >> value;
    bool right = line && value >= 0 && !(line >> rest);
    if (name == "stage") machine.stage[stage] = value;
    else if (auto const number = numbers.find(name); number != numbers.end()) *number->second = value;
    else if (auto const count = counts.find(name); count != counts.end())
      right = right && (*count->second = int(value)) > 0;
    else right = false;
    if (!right)
      throw std::runtime_error("description of a machine: line '" + text +
                               "' is no name with a number that it can have; see bench/cluster/machine.hpp");
  }
  if (!(machine.node_bandwidth > 0) || !(machine.wire_bandwidth > 0))
    throw std::runtime_error(
        "description of a machine: node_bandwidth or wire_bandwidth is missing; give both, in bytes "
        "per second");
  return machine;
}

}  // namespace nearfar::cluster
