// SPDX-License-Identifier: BSD-3-Clause
// Simulates a recorded graph on a described machine with SimGrid. Prints JSON: the seconds it takes, and the largest
// values over the ranks of: seconds in tasks, in all and by stage, and bytes sent.
#include "bench/cluster/simulation.hpp"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>

using namespace nearfar::cluster;

namespace {

void print(Simulated const& simulated, std::size_t steps) {
  double busy = 0, sent = 0;
  std::map<std::string, double> stage;
  for (RankUse const& rank : simulated.ranks) {
    busy = std::max(busy, rank.busy);
    sent = std::max({sent, rank.sent, rank.received});
    for (auto const& [name, seconds] : rank.stage) stage[name] = std::max(stage[name], seconds);
  }
  std::printf(R"({"ranks": %zu, "steps": %zu, "seconds": %.9g, "busy": %.9g, "sent": %.17g, "stage": {)",
              simulated.ranks.size(), steps, simulated.seconds, busy, sent);
  char const* separator = "";
  for (auto const& [name, seconds] : stage) {
    std::printf("%s\"%s\": %.9g", separator, name.c_str(), seconds);
    separator = ", ";
  }
  std::printf("}}\n");
}

}  // namespace

int main(int argc, char** argv) {
  std::ifstream graph(argc == 3 ? argv[1] : ""), machine(argc == 3 ? argv[2] : "");
  if (!graph || !machine) {
    std::fprintf(stderr,
                 "usage: nearfar_simulate GRAPH MACHINE   (what nearfar_record prints; bench/cluster/machine.hpp)\n");
    return 2;
  }
  try {
    auto steps = read_graph(graph);
    auto const described = read_machine(machine);
    std::size_t const count = steps.size();
    int alone = 1;  // none of our arguments are meant for SimGrid
    print(simulate(std::move(steps), described, &alone, argv), count);
    return 0;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "nearfar_simulate: error: %s\n", error.what());
    return 2;
  }
}
