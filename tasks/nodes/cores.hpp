// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/ranks.hpp"

#include <sched.h>
#include <string>
#include <vector>

namespace nearfar::detail {

/// A hardware thread, and the core that it is of.
struct Cpu {
  int number = 0;
  int package = 0;
  int core = 0;  ///< within the package
};

/// Those of the `rank`-th of `ranks` processes that share `cpus`: whole cores, next to each other, and none of two
/// processes while there are enough; else one core each, by turns.
std::vector<int> cpus_of_rank(std::vector<Cpu> cpus, int rank, int ranks);

/// The cores of this rank. Ranks that mpirun has bound to different cores keep these; those with the same cores divide
/// them. Says on stderr, once per machine, when there are fewer cores than ranks. All ranks make it, before what only
/// some of them may fail in.
struct CoresOfRank {
  explicit CoresOfRank(Ranks const& ranks);

  bool divided = false;  ///< not all that the process may use
  cpu_set_t before, mine;
};

/// Which of several processes on a machine a rank is among those that may use the same devices, and how many these are.
struct Sharers {
  int place = 0, count = 1;

  /// Its devices of so many: as evenly as can be, next to each other, and so next to its cores; -1 for `each`, or so
  /// many, also beyond those that are there.
  std::vector<int> share(int devices, int each = -1) const;
};

/// Of this rank, which sees these GPUs. Ranks that see others keep those: whoever started them has divided them.
/// Collective.
Sharers sharers_of(Ranks const& ranks, std::vector<std::string> const& gpus);

/// While it lives, this thread, and StarPU if it is started meanwhile, keeps to the cores of its rank, where several
/// divide those of a machine.
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
