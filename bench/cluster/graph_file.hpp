// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <istream>
#include <string>
#include <vector>

namespace nearfar::cluster {

/// A step of a graph that nearfar_record printed: a task of a rank, or a message from it to another.
struct Step {
  std::string stage;  ///< empty: a message
  int rank = 0, to = -1;
  int priority = 0;
  double amount = 0;      ///< flops of a task, bytes of a message
  int waits = 0;          ///< for so many steps
  std::vector<int> next;  ///< steps that wait for it
};

/// Throws std::runtime_error, with the line, for what is no graph.
std::vector<Step> read_graph(std::istream& in);

}  // namespace nearfar::cluster
