// SPDX-License-Identifier: BSD-3-Clause
#include "core/fmm/tree_search.hpp"

#include <algorithm>
#include <cmath>

namespace nearfar {

TreeSearch::TreeSearch(SortedKeys const& keys, int level, Occupancy const& found, TreeSight const& sight,
                       std::uint32_t few)
    : keys_(keys), level_(level), found_(found), sight_(sight), few_(few), ratios_(found.boxes.size()) {
  ratios_[0].counted = true;
}

TreeCandidate TreeSearch::uniform(int depth, double stretch) const {
  return {depth, 0, stretch, uniform_work(stretched(found_, stretch), depth, double(keys_.keys.size()), sight_)};
}

TreeCandidate TreeSearch::adaptive(int capacity) const {
  return {level_, capacity, 1, adaptive_work(keys_, level_, capacity, sight_)};
}

bool TreeSearch::is_uneven(TreeCandidate const& tree) const {
  constexpr double even = 1.3;  // chance, and boxes that the points do not fill, have less
  return tree.work.crowd * stretched(found_, tree.stretch).boxes[std::size_t(tree.depth)] >
         even * double(keys_.keys.size());
}

TreeCandidate TreeSearch::cheapest(std::vector<TreeCandidate> trees, std::function<double(TreeWork const&)> const& cost,
                                   double bound) {
  std::vector<bool> counted(trees.size());
  for (;;) {
    std::size_t best = 0;
    double least = 0;
    TreeWork work;
    for (std::size_t i = 0; i < trees.size(); ++i) {
      TreeWork now = trees[i].work;
      if (trees[i].capacity == 0) {
        Ratio const r = ratio(trees[i]);
        now.pairs *= r.pairs;
        now.links *= r.links;
        counted[i] = r.counted;
      }
      if (double const next = cost(now); i == 0 || next < least) {
        best = i;
        least = next;
        work = now;
      }
    }
    if (counted[best] || least > bound) {
      trees[best].work = work;
      return trees[best];
    }
    count(trees[best]);
    counted[best] = true;
  }
}

/// Of a root that is stretched, between one depth and the next.
TreeSearch::Ratio TreeSearch::ratio(TreeCandidate const& tree) const {
  Ratio const here = ratios_[std::size_t(tree.depth)];
  if (tree.stretch == 1 || tree.depth == 0) return here;
  Ratio const above = ratios_[std::size_t(tree.depth) - 1];
  double const back = std::log2(tree.stretch);
  auto const between = [&](double a, double b) { return std::pow(a, back) * std::pow(b, 1 - back); };
  return {between(above.pairs, here.pairs), between(above.links, here.links), above.counted && here.counted};
}

void TreeSearch::count(TreeCandidate& tree) {
  if (tree.capacity > 0) {
    tree.work = counted_work(keys_, level_, tree.depth, tree.capacity, sight_, few_);
    return;
  }
  for (int depth = std::max(0, tree.stretch == 1 ? tree.depth : tree.depth - 1); depth <= tree.depth; ++depth) {
    Ratio& r = ratios_[std::size_t(depth)];
    if (r.counted) continue;
    TreeWork const guess = uniform(depth, 1).work, found = counted_work(keys_, level_, depth, 0, sight_, few_);
    r = {found.pairs / guess.pairs, guess.links > 0 ? found.links / guess.links : 1, true};
  }
}

}  // namespace nearfar
