// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/plan/fmm/tree_work.hpp"

#include <functional>
#include <vector>

namespace nearfar {

/// A tree that may be chosen, and how much work it is.
struct TreeCandidate {
  int depth = 0, capacity = 0;
  double stretch = 1;  ///< of the root
  TreeWork work{};
};

/// Trees whose leaves are all on one level, by that level; `found`: what such trees of the points are like.
std::vector<TreeCandidate> uniform_trees(Occupancy const& found, double stretch, double points, TreeSight const& sight);

/// Trees of given points: their work is guessed, and counted where that decides and points are not spread evenly.
class TreeSearch {
 public:
  /// `found` as for uniform_trees; trees that follow the points end at `level`. `few`: see
  /// InteractionLists.
  TreeSearch(PointTrees trees, int level, Occupancy const& found, TreeSight const& sight, std::uint32_t few);

  /// Counted at once.
  TreeCandidate adaptive(int capacity) const;
  /// Whether leaves of a uniform tree hold very different numbers of points.
  bool is_uneven(TreeCandidate const& tree) const;

  /// The uniform tree that costs least: what looks so is counted until it has been. One that would cost more than
  /// `bound` is returned as it is.
  TreeCandidate cheapest(std::vector<TreeCandidate> trees, std::function<double(TreeWork const&)> const& cost,
                         double bound);

 private:
  /// What is counted of a uniform tree by what is guessed.
  struct Ratio {
    double pairs = 1, interactions = 1;
    bool counted = false;
  };
  Ratio ratio(TreeCandidate const& tree) const;
  void count(TreeCandidate const& tree);

  PointTrees trees_;
  int level_;
  Occupancy const& found_;
  TreeSight sight_;
  std::uint32_t few_;
  std::vector<Ratio> ratios_;  ///< by depth, unstretched
};

}  // namespace nearfar
