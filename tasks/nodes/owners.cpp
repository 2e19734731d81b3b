// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/owners.hpp"

#include <algorithm>
#include <numeric>

namespace nearfar::detail {

namespace {

/// What each rank should have in all, so that whoever has less before gets the rest.
double level(std::vector<double> before, double cost) {
  std::sort(before.begin(), before.end());
  double sum = cost;
  for (std::size_t ranks = 1; ranks <= before.size(); ++ranks) {
    sum += before[ranks - 1];
    if (ranks == before.size() || sum / double(ranks) <= before[ranks]) return sum / double(ranks);
  }
  return 0;
}

}  // namespace

std::vector<int> equal_pieces(std::vector<double> const& cost, std::vector<double> const& before) {
  double const full = level(before, std::accumulate(cost.begin(), cost.end(), 0.0));
  std::vector<double> end;  // of each rank's piece
  for (double b : before) end.push_back((end.empty() ? 0 : end.back()) + std::max(0.0, full - b));
  std::vector<int> rank;
  double done = 0;
  for (double c : cost) {
    auto const piece = std::upper_bound(end.begin(), end.end(), done + c / 2);
    rank.push_back(std::min(int(piece - end.begin()), int(before.size()) - 1));
    done += c;
  }
  return rank;
}

}  // namespace nearfar::detail
