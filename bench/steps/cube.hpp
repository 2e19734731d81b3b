// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/bench/bench.hpp"
#include "core/geometry/lattice.hpp"

#include <nearfar/nearfar.hpp>

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace nearfar::cli {

/// Points in a periodic cube, and what solves for them in it and in other cells are compared by.
class CubeSystem {
 public:
  explicit CubeSystem(BenchSettings const& settings);

  /// A plan in a cell, and what its solves took in CPU seconds.
  struct InCell {
    Ewald plan;
    Points points;
    std::vector<double> seconds{};
  };
  InCell begin(CellRows const& rows, std::vector<double> const& positions) const;
  void solve(InCell& of);

  double edge() const { return edge_; }
  CellRows cube() const { return {{{edge_, 0, 0}, {0, edge_, 0}, {0, 0, edge_}}}; }
  std::vector<double> const& positions() const { return given_.positions; }

  /// The head of a line of JSON.
  nlohmann::ordered_json head(std::string const& what) const;

 private:
  Runtime runtime_;
  EwaldOptions options_;
  Rows<double> given_;
  double edge_;
  std::vector<double> result_;
};

}  // namespace nearfar::cli
