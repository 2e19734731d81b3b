// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/machine/numa.hpp"

#include <algorithm>
#include <array>
#include <climits>
#include <cstdio>
#include <dirent.h>
#include <linux/mempolicy.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace nearfar::detail {

namespace {

/// Calls found(number) for each entry node0, node1, ... of a folder.
template <class Found>
void for_nodes_in(std::string const& folder, Found found) {
  DIR* const entries = opendir(folder.c_str());
  if (entries == nullptr) return;
  int number = 0, length = 0;
  while (dirent const* entry = readdir(entries))
    if (std::sscanf(entry->d_name, "node%d%n", &number, &length) == 1 && entry->d_name[length] == '\0') found(number);
  closedir(entries);
}

constexpr int bits = CHAR_BIT * sizeof(unsigned long);

/// A set of nodes as Linux takes it.
struct NodeMask {
  std::array<unsigned long, 1024 / bits> words{};

  explicit NodeMask(std::vector<int> const& nodes) {
    for (int const n : nodes)
      if (n >= 0 && n < 1024) words[std::size_t(n / bits)] |= 1UL << n % bits;
  }
  bool set_policy(int mode) const {
    return syscall(SYS_set_mempolicy, mode, words.data(), bits * words.size() + 1) == 0;
  }
};

bool has_policy() {
  int mode = MPOL_DEFAULT;
  return syscall(SYS_get_mempolicy, &mode, nullptr, 0, nullptr, 0) != 0 || mode != MPOL_DEFAULT;
}

}  // namespace

int numa_node(int processor) {
  int node = -1;
  for_nodes_in("/sys/devices/system/cpu/cpu" + std::to_string(processor), [&](int number) { node = number; });
  return node;
}

std::vector<int> numa_nodes() {
  std::vector<int> nodes;
  for_nodes_in("/sys/devices/system/node", [&](int number) { nodes.push_back(number); });
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

std::vector<int> nodes_for_memory(std::vector<int> const& of_threads, std::vector<int> const& of_machine) {
  std::vector<int> nodes;
  for (int const n : of_machine)
    if (std::find(of_threads.begin(), of_threads.end(), n) != of_threads.end()) nodes.push_back(n);
  return nodes.size() < of_machine.size() ? nodes : std::vector<int>();
}

MemoryOnNodes::MemoryOnNodes(std::vector<int> const& nodes) {
  if (nodes.empty() || has_policy()) return;
  constexpr int preferred_many = 5;  // MPOL_PREFERRED_MANY: prefer any of these nodes; since Linux 5.15
  NodeMask const mask(nodes);
  if (mask.set_policy(preferred_many) || (nodes.size() == 1 && mask.set_policy(MPOL_PREFERRED))) thread_ = gettid();
}

MemoryOnNodes::~MemoryOnNodes() {
  if (thread_ == gettid()) syscall(SYS_set_mempolicy, MPOL_DEFAULT, nullptr, 0);
}

}  // namespace nearfar::detail
