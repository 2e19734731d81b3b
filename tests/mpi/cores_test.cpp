// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/machine/cores.hpp"
#include "tasks/nodes/machine/numa.hpp"
#include "tasks/nodes/machine/slices.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <linux/mempolicy.h>
#include <pthread.h>
#include <set>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

using namespace nearfar::detail;

namespace {

/// Two packages; hardware threads as Linux numbers them: first one of every core, then the other.
std::vector<Cpu> machine(int cores_per_package, int threads) {
  std::vector<Cpu> cpus;
  for (int thread = 0; thread < threads; ++thread)
    for (int package = 0; package < 2; ++package)
      for (int core = 0; core < cores_per_package; ++core) cpus.push_back({int(cpus.size()), package, 0, core});
  return cpus;
}

}  // namespace

TEST_CASE("ranks on one machine have all its cores, and none twice") {
  for (int ranks : {1, 2, 3, 4, 7, 8}) {
    std::set<int> seen;
    std::size_t least = 100, most = 0;
    for (int rank = 0; rank < ranks; ++rank) {
      auto const mine = cpus_of_rank(machine(4, 2), rank, ranks);
      least = std::min(least, mine.size());
      most = std::max(most, mine.size());
      for (int cpu : mine) {
        CHECK(seen.insert(cpu).second);
        // both threads of a core
        CHECK(std::count(mine.begin(), mine.end(), (cpu + 8) % 16) == 1);
      }
    }
    CHECK(seen.size() == 16);
    CHECK(most - least <= 2);
  }
  CHECK(cpus_of_rank(machine(4, 1), 0, 2) == std::vector<int>{0, 1, 2, 3});  // each a package of its own
}

TEST_CASE("ranks have nodes of memory of their own, however Linux numbers the cores of a package") {
  std::vector<Cpu> cpus;  // two nodes in a package, whose cores take turns
  for (int core = 0; core < 8; ++core) cpus.push_back({core, 0, core % 2, core});
  CHECK(cpus_of_rank(cpus, 0, 2) == std::vector<int>{0, 2, 4, 6});
  CHECK(cpus_of_rank(cpus, 1, 2) == std::vector<int>{1, 3, 5, 7});
  CHECK(cpus_of_rank(cpus, 2, 4) == std::vector<int>{1, 3});
}

TEST_CASE("memory of a rank belongs onto the nodes of its cores, if the machine has others") {
  using Nodes = std::vector<int>;
  CHECK(nodes_for_memory({0, 0, 0}, {0}).empty());
  CHECK(nodes_for_memory({1, 1}, {0, 1}) == Nodes{1});
  CHECK(nodes_for_memory({3, 1, 3}, {0, 1, 2, 3}) == Nodes{1, 3});
  CHECK(nodes_for_memory({0, 1}, {0, 1}).empty());
  CHECK(nodes_for_memory({-1}, {}).empty());  // Linux does not tell
}

TEST_CASE("memory goes where it was asked to go, of this thread and those that it starts, and anywhere again") {
  auto const nodes = numa_nodes();
  if (nodes.empty()) return;  // of a Linux without them
  auto const policy = [](unsigned long& mask) {
    int mode = MPOL_DEFAULT;
    unsigned long all[1024 / 64] = {};
    REQUIRE(syscall(SYS_get_mempolicy, &mode, all, 1024, nullptr, 0) == 0);
    mask = all[0];
    return mode;
  };
  unsigned long mask = 0;
  REQUIRE(policy(mask) == MPOL_DEFAULT);
  CHECK(!MemoryOnNodes({}).active());
  {
    MemoryOnNodes const there({nodes.back()});
    REQUIRE(there.active());
    CHECK(!MemoryOnNodes({nodes.front()}).active());  // the first one counts
    CHECK(policy(mask) != MPOL_DEFAULT);
    CHECK(mask == 1UL << nodes.back());
    int of_started = MPOL_DEFAULT;
    std::thread([&] { of_started = policy(mask); }).join();
    CHECK(of_started == policy(mask));
    std::vector<char> pages(1 << 16, 1);
    int node = -1;  // of a page
    REQUIRE(syscall(SYS_get_mempolicy, &node, nullptr, 0, &pages[pages.size() / 2], MPOL_F_NODE | MPOL_F_ADDR) == 0);
    CHECK(node == nodes.back());
  }
  CHECK(policy(mask) == MPOL_DEFAULT);
}

TEST_CASE("threads have short slices of time if asked by name") {
  std::atomic<bool> end{false};
  std::thread named([&] {
    pthread_setname_np(pthread_self(), "in a hurry");
    while (!end) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  int accepted = 0;
  for (int tries = 0; tries < 1000 && accepted == 0; ++tries) accepted = shorten_slices("in a hurry");
  end = true;
  named.join();
  CHECK(accepted == 1);
  CHECK(shorten_slices("nobody") == 0);
}

TEST_CASE("more ranks than cores take one each, by turns") {
  CHECK(cpus_of_rank(machine(1, 1), 0, 3) == std::vector<int>{0});
  CHECK(cpus_of_rank(machine(1, 1), 1, 3) == std::vector<int>{1});
  CHECK(cpus_of_rank(machine(1, 1), 2, 3) == std::vector<int>{0});
}

TEST_CASE("ranks that see the same GPUs have each once") {
  for (int ranks : {1, 2, 3, 8})
    for (int gpus : {0, 1, 2, 4, 8}) {
      std::set<int> seen;
      for (int rank = 0; rank < ranks; ++rank)
        for (int const gpu : Sharers{rank, ranks}.share(gpus)) CHECK(seen.insert(gpu).second);
      CHECK(int(seen.size()) == gpus);
    }
  CHECK(Sharers{1, 2}.share(4) == std::vector<int>{2, 3});  // next to the second half of the cores
  CHECK(Sharers{1, 2}.share(4, 1) == std::vector<int>{1});  // as many as were asked for
}
