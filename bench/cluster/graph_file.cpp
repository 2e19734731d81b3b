// SPDX-License-Identifier: BSD-3-Clause
#include "bench/cluster/graph_file.hpp"

#include <sstream>
#include <stdexcept>
#include <utility>

namespace nearfar::cluster {

std::vector<Step> read_graph(std::istream& in) {
  std::vector<Step> steps;
  for (std::string text; std::getline(in, text);) {
    std::istringstream line(text);
    std::string kind;
    Step step;
    line >> kind;
    bool const known = kind == "task"      ? bool(line >> step.rank >> step.priority >> step.amount >> step.stage)
                       : kind == "message" ? bool(line >> step.rank >> step.to >> step.amount)
                                           : false;
    int const number = int(steps.size());
    steps.push_back(std::move(step));
    for (int before = 0; line >> before; ++steps.back().waits) {
      if (before < 0 || before >= number)
        throw std::runtime_error("step " + std::to_string(number) + " waits for later ones");
      steps[std::size_t(before)].next.push_back(number);
    }
    if (!known || !line.eof()) throw std::runtime_error("'" + text + "' is no step of a graph (see nearfar_record)");
  }
  return steps;
}

}  // namespace nearfar::cluster
