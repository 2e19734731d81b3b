// SPDX-License-Identifier: BSD-3-Clause
#include "bench/cluster/simulation.hpp"

#include <algorithm>
#include <set>
#include <simgrid/s4u.hpp>
#include <stdexcept>
#include <utility>

namespace nearfar::cluster {

namespace {

namespace sg = simgrid::s4u;

constexpr double speed = 1e9;  // of a worker, in SimGrid's flops per second: a task gets its seconds times this

/// One host per rank, with its own links out and in, within the node and between nodes.
std::vector<sg::Host*> make_hosts(Machine const& machine, int ranks) {
  auto* const zone = sg::create_full_zone("cluster");
  std::vector<sg::Host*> hosts;
  std::vector<std::array<sg::Link*, 4>> links;  // wire out, wire in, node out, node in
  for (int r = 0; r < ranks; ++r) {
    std::string const name = std::to_string(r);
    hosts.push_back(zone->create_host("rank" + name, speed)->set_core_count(machine.workers)->seal());
    // Each message passes two links, so each link has half of the latency.
    auto const link = [&](char const* kind, double bandwidth, double latency) {
      return zone->create_link(kind + name, bandwidth)->set_latency(latency / 2)->seal();
    };
    links.push_back({link("wire-out", machine.wire_bandwidth, machine.wire_latency),
                     link("wire-in", machine.wire_bandwidth, machine.wire_latency),
                     link("node-out", machine.node_bandwidth, machine.node_latency),
                     link("node-in", machine.node_bandwidth, machine.node_latency)});
  }
  for (int from = 0; from < ranks; ++from)
    for (int to = 0; to < ranks; ++to) {
      if (from == to) continue;
      std::size_t const within = from / machine.ranks_of_node == to / machine.ranks_of_node ? 2 : 0;
      zone->add_route(
          hosts[std::size_t(from)]->get_netpoint(), hosts[std::size_t(to)]->get_netpoint(), nullptr, nullptr,
          {sg::LinkInRoute(links[std::size_t(from)][within]), sg::LinkInRoute(links[std::size_t(to)][within + 1])},
          false);
    }
  zone->seal();
  return hosts;
}

class Run {
 public:
  Run(std::vector<Step> steps, Machine const& machine, std::vector<sg::Host*> hosts)
      : steps_(std::move(steps)), machine_(machine), hosts_(std::move(hosts)), ready_(hosts_.size()),
        idle_(hosts_.size(), machine.workers) {
    result_.ranks.resize(hosts_.size());
  }

  Simulated result(sg::Engine& engine) {
    sg::Activity::on_completion_cb([this](sg::Activity const& activity) { end(activity); });
    std::vector<int> first;
    for (std::size_t i = 0; i < steps_.size(); ++i)
      if (steps_[i].waits == 0) first.push_back(int(i));
    begin(first);
    engine.run();
    if (ended_ < steps_.size())
      throw std::runtime_error(std::to_string(steps_.size() - ended_) +
                               " steps of the graph never began: they wait for "
                               "each other");
    result_.seconds = sg::Engine::get_clock();
    return std::move(result_);
  }

 private:
  /// Highest priority first, then the order of the graph.
  using Queue = std::set<std::pair<int, int>>;

  void begin(std::vector<int> const& steps) {
    std::map<std::pair<int, int>, std::vector<int>> messages;
    std::set<int> ranks;
    for (int const i : steps) {
      Step const& step = steps_[std::size_t(i)];
      if (step.stage.empty()) messages[{step.rank, step.to}].push_back(i);
      else ready_[std::size_t(step.rank)].insert({-step.priority, i}), ranks.insert(step.rank);
    }
    for (auto const& [ends, joined] : messages) send(ends.first, ends.second, joined);
    for (int const rank : ranks) work(std::size_t(rank));
  }

  void send(int from, int to, std::vector<int> const& joined) {
    double bytes = 0;
    for (int const i : joined) bytes += steps_[std::size_t(i)].amount;
    result_.ranks[std::size_t(from)].sent += bytes;
    result_.ranks[std::size_t(to)].received += bytes;
    auto const message = sg::Comm::sendto_init(hosts_[std::size_t(from)], hosts_[std::size_t(to)]);
    message->set_payload_size(std::uint64_t(bytes));
    running_[message.get()] = {message, joined, -1};
    message->start();
  }

  void work(std::size_t rank) {
    Queue& queue = ready_[rank];
    for (; idle_[rank] > 0 && !queue.empty(); --idle_[rank]) {
      int const i = queue.begin()->second;
      queue.erase(queue.begin());
      Step const& step = steps_[std::size_t(i)];
      auto const found = machine_.stage.find(step.stage);
      double const seconds = machine_.task + (found == machine_.stage.end() ? 0 : found->second * step.amount);
      result_.ranks[rank].busy += seconds;
      result_.ranks[rank].stage[step.stage] += seconds;
      auto const task = sg::Exec::init();
      task->set_flops_amount(seconds * speed)->set_host(hosts_[rank]);
      running_[task.get()] = {task, {i}, int(rank)};
      task->start();
    }
  }

  void end(sg::Activity const& activity) {
    auto const ended = running_.extract(&activity);
    std::vector<int> next;
    for (int const i : ended.mapped().steps) {
      ++ended_;
      for (int const n : steps_[std::size_t(i)].next)
        if (--steps_[std::size_t(n)].waits == 0) next.push_back(n);
    }
    if (int const rank = ended.mapped().worker; rank >= 0) ++idle_[std::size_t(rank)];
    begin(next);
    if (int const rank = ended.mapped().worker; rank >= 0) work(std::size_t(rank));
  }

  struct Running {
    sg::ActivityPtr activity;
    std::vector<int> steps;
    int worker;  ///< rank of the worker that it occupies, -1 for messages
  };
  std::vector<Step> steps_;
  Machine const& machine_;
  std::vector<sg::Host*> hosts_;
  std::vector<Queue> ready_;
  std::vector<int> idle_;
  std::map<sg::Activity const*, Running> running_;
  std::size_t ended_ = 0;
  Simulated result_;
};

}  // namespace

Simulated simulate(std::vector<Step> steps, Machine const& machine, int* argc, char** argv) {
  sg::Engine engine(argc, argv);
  // The described network applies as it is, without SimGrid's correction factors for TCP over Ethernet.
  for (char const* setting : {"network/model:CM02", "network/crosstraffic:no", "network/TCP-gamma:0",
                              "network/bandwidth-factor:1", "network/latency-factor:1"})
    sg::Engine::set_config(setting);
  int ranks = 1;
  for (Step const& step : steps) ranks = std::max({ranks, step.rank + 1, step.to + 1});
  return Run(std::move(steps), machine, make_hosts(machine, ranks)).result(engine);
}

}  // namespace nearfar::cluster
