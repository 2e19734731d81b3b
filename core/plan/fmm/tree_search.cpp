// SPDX-License-Identifier: BSD-3-Clause
#include "core/plan/fmm/tree_search.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nearfar {

std::vector<TreeCandidate> uniform_trees(Occupancy const& found, double stretch, double points,
                                         TreeSight const& sight) {
  std::vector<TreeCandidate> trees;
  for (TreeWork const& work : uniform_work(stretched(found, stretch), points, sight))
    trees.push_back({int(trees.size()), 0, stretch, work});
  return trees;
}

namespace {

/// Down to which level points are spread as evenly as chance has it: boxes are then like those that are guessed, to
/// some percent, as far as a count of a sample tells. Pairs in boxes are fewest where points are even.
int even_down_to(Occupancy const& found, double points) {
  constexpr double even = 1.1;
  std::size_t level = 0;
  while (level + 1 < found.pairs.size() &&
         found.pairs[level + 1] < even * (points + points * (points - 1) / std::exp2(3.0 * double(level + 1))))
    ++level;
  return int(level);
}

}  // namespace

TreeSearch::TreeSearch(PointTrees trees, int level, Occupancy const& found, TreeSight const& sight, std::uint32_t few)
    : trees_(std::move(trees)), level_(level), found_(found), sight_(sight), few_(few), ratios_(found.boxes.size()) {
  for (int level = even_down_to(found, trees_.points); level >= 0; --level) ratios_[std::size_t(level)].counted = true;
}

TreeCandidate TreeSearch::adaptive(int capacity) const {
  return {level_, capacity, 1, trees_.work(level_, capacity, sight_, few_)};
}

bool TreeSearch::is_uneven(TreeCandidate const& tree) const {
  constexpr double even = 1.3;  // sampling noise and partly filled boxes stay below this
  return tree.work.crowd * stretched(found_, tree.stretch).boxes[std::size_t(tree.depth)] > even * trees_.points;
}

TreeCandidate TreeSearch::cheapest(std::vector<TreeCandidate> trees, std::function<double(TreeWork const&)> const& cost,
                                   double bound) {
  for (;;) {
    TreeCandidate best;
    double least = std::numeric_limits<double>::infinity();
    for (TreeCandidate tree : trees) {
      Ratio const r = ratio(tree);
      tree.work.pairs *= r.pairs;
      tree.work.interactions *= r.interactions;
      if (double const next = cost(tree.work); next < least) {
        least = next;
        best = tree;
      }
    }
    if (ratio(best).counted || least > bound) return best;
    count(best);
  }
}

/// A stretched root lies between two depths of the unstretched one: its ratio is interpolated.
TreeSearch::Ratio TreeSearch::ratio(TreeCandidate const& tree) const {
  Ratio const here = ratios_[std::size_t(tree.depth)];
  if (tree.stretch == 1 || tree.depth == 0) return here;
  Ratio const above = ratios_[std::size_t(tree.depth) - 1];
  double const back = std::log2(tree.stretch);
  auto const between = [&](double a, double b) { return std::pow(a, back) * std::pow(b, 1 - back); };
  return {between(above.pairs, here.pairs), between(above.interactions, here.interactions),
          above.counted && here.counted};
}

void TreeSearch::count(TreeCandidate const& tree) {
  for (int depth = std::max(0, tree.stretch == 1 ? tree.depth : tree.depth - 1); depth <= tree.depth; ++depth) {
    Ratio& r = ratios_[std::size_t(depth)];
    if (r.counted) continue;
    TreeWork const guess = uniform_work(found_, trees_.points, sight_)[std::size_t(depth)],
                   found = trees_.work(depth, 0, sight_, few_);
    r = {found.pairs / guess.pairs, guess.interactions > 0 ? found.interactions / guess.interactions : 1, true};
  }
}

}  // namespace nearfar
