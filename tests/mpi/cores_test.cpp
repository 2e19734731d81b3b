// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/cores.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace nearfar::detail;

namespace {

/// Two packages; hardware threads as Linux numbers them: first one of every core, then the other.
std::vector<Cpu> machine(int cores_per_package, int threads) {
  std::vector<Cpu> cpus;
  for (int thread = 0; thread < threads; ++thread)
    for (int package = 0; package < 2; ++package)
      for (int core = 0; core < cores_per_package; ++core) cpus.push_back({int(cpus.size()), package, core});
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
