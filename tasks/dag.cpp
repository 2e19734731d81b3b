// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/dag.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace nearfar::detail {

namespace {

/// Last tasks to touch a handle. Scattering tasks (RW and COMMUTE) do not depend on each other.
struct Users {
  int writer = -1;
  std::vector<int> readers;
  std::vector<int> scatterers;
};

constexpr char const* colours[][2] = {
    {"bin", "#dddddd"},  {"p2p", "#77aadd"}, {"p2g", "#ee8866"},   {"fft", "#eedd88"},    {"scale", "#99ddff"},
    {"ifft", "#bbcc33"}, {"g2p", "#ffaabb"}, {"merge", "#aaaa00"}, {"moment", "#ccbbdd"}, {"moments", "#ccbbdd"}};

}  // namespace

std::vector<std::pair<int, int>> dependencies(std::deque<TaskRecord> const& tasks) {
  std::map<Handle, Users> users;
  std::vector<std::pair<int, int>> edges;
  for (int i = 0; i < int(tasks.size()); ++i) {
    std::vector<int> before;
    for (auto const& [handle, mode] : tasks[std::size_t(i)].accesses) {
      if (mode == STARPU_SCRATCH) continue;
      Users& u = users[handle];
      bool const scatters = (mode & STARPU_COMMUTE) != 0, writes = (mode & STARPU_W) != 0;
      if (u.writer >= 0) before.push_back(u.writer);
      if (writes) before.insert(before.end(), u.readers.begin(), u.readers.end());
      if (!scatters) before.insert(before.end(), u.scatterers.begin(), u.scatterers.end());
      if (scatters) u.scatterers.push_back(i);
      else if (writes) u = Users{i, {}, {}};
      else u.readers.push_back(i);
    }
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
    char const* colour = "#ffffff";
    for (auto const& c : colours)
      if (std::string(c[0]) == tasks[i].stage) colour = c[1];
    out << "  t" << i << " [label=\"" << tasks[i].stage << ' ' << tasks[i].block << "\", fillcolor=\"" << colour
        << "\"];\n";
  }
  for (auto const& [from, to] : dependencies(tasks)) out << "  t" << from << " -> t" << to << ";\n";
  out << "}\n";
}

}  // namespace nearfar::detail
