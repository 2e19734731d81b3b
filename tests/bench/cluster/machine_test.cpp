// SPDX-License-Identifier: BSD-3-Clause
#include "bench/cluster/machine.hpp"
#include "bench/cluster/graph_file.hpp"

#include <doctest/doctest.h>

#include <sstream>
#include <stdexcept>
#include <string>

using namespace nearfar::cluster;

namespace {

Machine machine(std::string const& text) {
  std::istringstream in(text);
  return read_machine(in);
}

std::vector<Step> graph(std::string const& text) {
  std::istringstream in(text);
  return read_graph(in);
}

std::string const wires = "node_bandwidth 4e11\nwire_bandwidth 5e10\n";

}  // namespace

TEST_CASE("a description of a machine") {
  Machine const m =
      machine(wires + "workers 2 # of each rank\n\nwire_latency 5e-6\nstage p2p 1e-12\nstage p2g 2e-12\n");
  CHECK(m.workers == 2);
  CHECK(m.ranks_of_node == 1);
  CHECK(m.node_bandwidth == 4e11);
  CHECK(m.wire_latency == 5e-6);
  CHECK(m.stage.at("p2p") == 1e-12);
  CHECK(m.stage.size() == 2);
  for (char const* line :
       {"workers 0", "workers", "wire_latency -1", "wire_latency soon", "wires 3", "stage p2p", "task 1 2"})
    CHECK_THROWS_AS(machine(wires + line), std::runtime_error);
  CHECK_THROWS_AS(machine("wire_bandwidth 5e10"), std::runtime_error);
}

TEST_CASE("a graph as it is printed") {
  auto const steps = graph("task 0 7 100 bin\nmessage 0 1 4096 0\ntask 1 4 50 p2g 1 0\n");
  REQUIRE(steps.size() == 3);
  CHECK(steps[0].stage == "bin");
  CHECK(steps[0].priority == 7);
  CHECK(steps[0].amount == 100);
  CHECK(steps[0].next == std::vector{1, 2});
  CHECK(steps[1].stage.empty());
  CHECK(steps[1].to == 1);
  CHECK(steps[1].amount == 4096);
  CHECK(steps[2].waits == 2);
  for (char const* text : {"job 1 2 3 p2p", "task 0 7 p2p", "message 0 1 12 0", "task 0 7 1 bin next", "message 0 1"})
    CHECK_THROWS_AS(graph(text), std::runtime_error);
}
