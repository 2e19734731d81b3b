// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/nodes/ranks.hpp"

#include <sched.h>
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
