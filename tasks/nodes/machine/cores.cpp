// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/machine/cores.hpp"

#include "tasks/nodes/machine/numa.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <numeric>
#include <string>
#include <tuple>

namespace nearfar::detail {

namespace {

/// What Linux says of a hardware thread; 0 where it says nothing.
int topology(int cpu, char const* what) {
  int value = 0;
  std::ifstream("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/" + what) >> value;
  return value;
}

std::vector<Cpu> cpus_in(cpu_set_t const& set) {
  std::vector<Cpu> cpus;
  for (int c = 0; c < CPU_SETSIZE; ++c)
    if (CPU_ISSET(c, &set))
      cpus.push_back({c, topology(c, "physical_package_id"), numa_node(c), topology(c, "core_id")});
  return cpus;
}

int cores_in(std::vector<Cpu> const& cpus) {
  std::vector<std::pair<int, int>> cores;
  for (Cpu const& c : cpus) cores.emplace_back(c.package, c.core);
  std::sort(cores.begin(), cores.end());
  return int(std::unique(cores.begin(), cores.end()) - cores.begin());
}

bool is_silent() {
  char const* silent = std::getenv("STARPU_SILENT");
  return silent != nullptr && std::string(silent) != "0";
}

}  // namespace

std::vector<int> cpus_of_rank(std::vector<Cpu> cpus, int rank, int ranks) {
  std::sort(cpus.begin(), cpus.end(), [](Cpu const& a, Cpu const& b) {
    return std::tie(a.package, a.node, a.core, a.number) < std::tie(b.package, b.node, b.core, b.number);
  });
  int const cores = cores_in(cpus);
  int const first = cores >= ranks ? int(std::int64_t(cores) * rank / ranks) : rank % cores;
  int const last = cores >= ranks ? int(std::int64_t(cores) * (rank + 1) / ranks) : first + 1;
  std::vector<int> mine;
  int core = -1;
  for (std::size_t i = 0; i < cpus.size(); ++i) {
    if (i == 0 || cpus[i].package != cpus[i - 1].package || cpus[i].core != cpus[i - 1].core) ++core;
    if (core >= first && core < last) mine.push_back(cpus[i].number);
  }
  return mine;
}

CoresOfRank::CoresOfRank(Ranks const& ranks) {
  CPU_ZERO(&before);
  CPU_ZERO(&mine);
  if (!ranks.several() || ranks.local_count() == 1) return;
  sched_getaffinity(0, sizeof before, &before);
  auto const all = ranks.gather_local(&before, sizeof before);
  int place = 0, sharers = 0;  // among the ranks with the same cores
  for (int r = 0; r < ranks.local_count(); ++r) {
    cpu_set_t other;
    std::memcpy(&other, all.data() + std::size_t(r) * sizeof other, sizeof other);
    if (CPU_EQUAL(&other, &before) == 0) continue;
    if (r < ranks.local_rank()) ++place;
    ++sharers;
  }
  auto const cpus = cpus_in(before);
  if (cores_in(cpus) < sharers && place == 0 && !is_silent())
    std::fprintf(stderr,
                 "nearfar: %d ranks share %d core(s) (each works as if it had one, and they wait for each other); "
                 "start no more ranks on this machine than it has cores\n",
                 sharers, cores_in(cpus));
  std::vector<int> used;
  for (int c : cpus_of_rank(cpus, place, sharers)) {
    CPU_SET(c, &mine);
    used.push_back(numa_node(c));
  }
  nodes = nodes_for_memory(used, numa_nodes());
  divided = true;
}

std::vector<int> Sharers::share(int devices, int each) const {
  int const first = each >= 0 ? place * each : devices * place / count,
            last = each >= 0 ? first + each : devices * (place + 1) / count;
  std::vector<int> mine(std::size_t(last - first));
  std::iota(mine.begin(), mine.end(), first);
  return mine;
}

Sharers sharers_of(Ranks const& ranks, std::vector<std::string> const& gpus) {
  std::string all;
  for (auto const& gpu : gpus) all += gpu + ' ';
  std::uint64_t const mine = std::hash<std::string>()(all);
  auto const gathered = ranks.gather_local(&mine, sizeof mine);
  Sharers sharers{0, 0};
  for (int r = 0; r < ranks.local_count(); ++r) {
    std::uint64_t other = 0;
    std::memcpy(&other, gathered.data() + std::size_t(r) * sizeof other, sizeof other);
    if (other != mine) continue;
    if (r < ranks.local_rank()) ++sharers.place;
    ++sharers.count;
  }
  return sharers;
}

BoundToCores::BoundToCores(CoresOfRank const& cores) : before_(cores.before) {
  if (cores.divided) bound_ = sched_setaffinity(0, sizeof cores.mine, &cores.mine) == 0;
}

BoundToCores::~BoundToCores() {
  if (bound_) sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace nearfar::detail
