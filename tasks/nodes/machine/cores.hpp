// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/ranks.hpp"

#include <sched.h>
#include <string>
#include <vector>

namespace nearfar::detail {

/// A hardware thread and its core.
struct Cpu {
  int number = 0;
  int package = 0;
  int node = 0;  ///< of memory, which may be several in a package; -1 where Linux tells none
  int core = 0;  ///< within the package
};

/// The hardware threads for process `rank` of `ranks` that share `cpus`: whole adjacent
/// cores, none for two processes as long as there are enough; else one core each, in turn.
std::vector<int> cpus_of_rank(std::vector<Cpu> cpus, int rank, int ranks);

/// The cores of this rank. Ranks that mpirun has bound to different cores keep these; those
/// with the same cores divide them. Warns on stderr, once per machine, if there are fewer
/// cores than ranks. All ranks construct it, before anything that may fail on some of them.
struct CoresOfRank {
  explicit CoresOfRank(Ranks const& ranks);

  bool divided = false;  ///< fewer than the process may use
  cpu_set_t before, mine;
  std::vector<int> nodes;  ///< where its memory belongs (nodes_for_memory)
};

/// The rank's index among the processes of a machine that may use the same devices, and their number.
struct Sharers {
  int place = 0, count = 1;

  /// Its devices out of so many: as evenly as possible, adjacent to each other, and so
  /// close to its cores; -1 for `each`, or a number for each, even beyond those that exist.
  std::vector<int> share(int devices, int each = -1) const;
};

/// For this rank, which sees these GPUs. Ranks that see different GPUs
/// keep those: whoever started them has divided them. Collective.
Sharers sharers_of(Ranks const& ranks, std::vector<std::string> const& gpus);

/// While it lives, this thread, and StarPU if started meanwhile, stays
/// on the cores of its rank, if several ranks divide those of a machine.
class BoundToCores {
 public:
  explicit BoundToCores(CoresOfRank const& cores);
  ~BoundToCores();
  BoundToCores(BoundToCores const&) = delete;
  BoundToCores& operator=(BoundToCores const&) = delete;

 private:
  bool bound_ = false;
  cpu_set_t before_;
};

}  // namespace nearfar::detail
