// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

namespace nearfar::detail {

/// NUMA node of a hardware thread; -1 where Linux tells none.
int numa_node(int processor);

/// Those of the machine that are online; none where Linux tells none.
std::vector<int> numa_nodes();

/// Where the memory of a process goes whose hardware threads are on these nodes, of all that the machine has: onto
/// them, if they are some of several; else anywhere (none).
std::vector<int> nodes_for_memory(std::vector<int> const& of_threads, std::vector<int> const& of_machine);

/// While it lives, this thread, and those that it starts meanwhile, take memory from these nodes, and from others once
/// they are full; of several, from the nearest. Linux places memory when it is first written: workers write on their
/// own node, but the thread that calls may be anywhere. Does nothing for no nodes, where the thread has a policy
/// already (numactl), or where Linux refuses.
class MemoryOnNodes {
 public:
  explicit MemoryOnNodes(std::vector<int> const& nodes);
  ~MemoryOnNodes();
  MemoryOnNodes(MemoryOnNodes const&) = delete;
  MemoryOnNodes& operator=(MemoryOnNodes const&) = delete;

  bool active() const noexcept { return thread_ != 0; }

 private:
  int thread_ = 0;  ///< 0: nothing was done
};

}  // namespace nearfar::detail
