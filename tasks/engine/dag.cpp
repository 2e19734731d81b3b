// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/dag.hpp"

#include "codelets/common/stages.hpp"
#include "tasks/nodes/messages/last_users.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>

namespace nearfar::detail {

std::vector<std::pair<int, int>> dependencies(std::deque<TaskRecord> const& tasks) {
  std::map<Handle, LastUsers> users;
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < int(tasks.size()); ++i) {
    std::vector<int> before;
    for (auto const& [handle, mode] : tasks[std::size_t(i)].accesses)
      if (mode != STARPU_SCRATCH) users[handle].add(i, mode, before);
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    for (int b : before)
      if (b != i) edges.emplace_back(b, i);
  }
  return edges;
}

void write_dag(std::ostream& out, std::deque<TaskRecord> const& tasks) {
  out << "digraph nearfar {\n  rankdir=LR;\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n";
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    auto const* row = find_stage(tasks[i].stage);
    unsigned const color = row != nullptr ? row->color : 0xffffff;
    char colors[48];
    std::snprintf(colors, sizeof colors, "fillcolor=\"#%06x\", fontcolor=%s", color,
                  is_dark(color) ? "white" : "black");
    out << "  t" << i << " [label=\"" << tasks[i].stage << ' ' << tasks[i].block << "\", " << colors << "];\n";
  }
  for (auto const& [from, to] : dependencies(tasks)) out << "  t" << from << " -> t" << to << ";\n";
  out << "}\n";
}

}  // namespace nearfar::detail
