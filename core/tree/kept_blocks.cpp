// SPDX-License-Identifier: BSD-3-Clause
#include "core/tree/kept_blocks.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace nearfar {

namespace {

/// In boxes of the deepest level, from first to before last.
struct Region {
  std::array<std::int64_t, 3> first, last;

  bool meets(Region const& other, std::array<std::int64_t, 3> const& shift) const noexcept {
    for (std::size_t d = 0; d < 3; ++d)
      if (first[d] >= other.last[d] + shift[d] || last[d] <= other.first[d] + shift[d]) return false;
    return true;
  }
};

MortonKey key_of(TreeBox const& box) { return morton_key(box.at[0], box.at[1], box.at[2]); }

/// What the numbers of points in a box decide of lists (InteractionLists).
std::array<bool, 4> traits_of(TreeBox const& box, std::uint32_t few) {
  return {box.sources() > 0, box.targets() > 0, box.sources() <= few, box.targets() <= few};
}

class Keeping {
 public:
  Keeping(Tree const& planned, TreeBlocks const& blocks, Tree const& now, std::uint32_t few)
      : planned_(planned), before_(blocks), now_(now), few_(few), deepest_(std::max(planned.depth(), now.depth())),
        other_boxes_(blocks.blocks.size(), false) {
    for (TreeBlock const& block : blocks.blocks) kept_.blocks.push_back({block.level, block.of_leaves, {}, 0, 0});
  }

  /// Gives every box of a level to a block.
  void give_level(int level) {
    auto const was = boxes_of(planned_, level), is = boxes_of(now_, level);
    kept_.local_boxes.emplace_back(is.size());
    std::array<std::int32_t, 2> last{first_block(level, false), first_block(level, true)};
    for (std::size_t i = 0, k = 0; i < was.size() || k < is.size();) {
      bool const had = i < was.size() && (k == is.size() || key_of(was[i]) <= key_of(is[k])),
                 has = k < is.size() && (i == was.size() || key_of(is[k]) <= key_of(was[i]));
      std::int32_t const block = had ? before_.local_boxes[std::size_t(level)][i].block : -1;
      if (had) last[was[i].is_leaf()] = block;
      bool const same = had && has && was[i].is_leaf() == is[k].is_leaf();
      if (had && !same) other_boxes_[std::size_t(block)] = true;
      if (has && last[is[k].is_leaf()] < 0) last[is[k].is_leaf()] = new_block(level, is[k].is_leaf());
      if (has) add(level, std::int32_t(k), last[is[k].is_leaf()], !same);
      if (!same || traits_of(was[i], few_) != traits_of(is[k], few_)) {
        changes_.push_back(region(level, (had ? was[i] : is[k]).at));
        // Runs of sources may go over boxes that had none.
        if (same && (was[i].sources() > 0) != (is[k].sources() > 0)) other_boxes_[std::size_t(block)] = true;
      }
      i += had;
      k += has;
    }
  }

  KeptBlocks end(std::vector<BlockLists> const& lists) {
    std::vector<bool> changed(other_boxes_.size(), false);
    for (std::size_t b = 0; b < changed.size(); ++b)
      changed[b] = other_boxes_[b] || reads_other_boxes(lists[b]) || sees_changes(kept_.blocks[b]);
    return {std::move(kept_), std::move(changed)};
  }

 private:
  static std::span<TreeBox const> boxes_of(Tree const& tree, int level) {
    if (level > tree.depth()) return {};
    return tree.levels[std::size_t(level)];
  }
  std::int32_t first_block(int level, bool leaves) const {
    auto const& all = before_.blocks;
    auto const found =
        std::ranges::find_if(all, [=](TreeBlock const& b) { return b.level == level && b.of_leaves == leaves; });
    return found == all.end() ? -1 : std::int32_t(found - all.begin());
  }
  std::int32_t new_block(int level, bool leaves) {
    kept_.blocks.push_back({level, leaves, {}, 0, 0});
    other_boxes_.push_back(true);
    return std::int32_t(kept_.blocks.size()) - 1;
  }
  void add(int level, std::int32_t box, std::int32_t number, bool is_new) {
    TreeBlock& block = kept_.blocks[std::size_t(number)];
    TreeBox const& added = now_.levels[std::size_t(level)][std::size_t(box)];
    kept_.local_boxes.back()[std::size_t(box)] = {number, block.size(), std::int32_t(block.sources),
                                                  std::int32_t(block.targets)};
    block.boxes.push_back(box);
    block.sources += added.sources();
    block.targets += added.targets();
    if (is_new) other_boxes_[std::size_t(number)] = true;
  }

  Region region(int level, std::int32_t const at[3], int around = 0) const {
    Region r;
    for (std::size_t d = 0; d < 3; ++d) {
      r.first[d] = std::int64_t(at[d] - around) << (deepest_ - level);
      r.last[d] = std::int64_t(at[d] + around + 1) << (deepest_ - level);
    }
    return r;
  }
  bool reads_other_boxes(BlockLists const& l) const {
    for (Gather const* gather : {&l.m2m, &l.l2l, &l.m2l, &l.p2p, &l.m2p, &l.p2l})
      for (std::int32_t block : gather->blocks)
        if (other_boxes_[std::size_t(block)]) return true;
    return false;
  }
  /// All that lists of a box refer to is near its parent.
  bool sees_changes(TreeBlock const& block) const {
    int const up = std::min(1, block.level);
    Region seen{};
    for (std::size_t i = 0; i < block.boxes.size(); ++i) {
      auto const& at = now_.levels[std::size_t(block.level)][std::size_t(block.boxes[i])].at;
      std::int32_t const parent[3] = {at[0] >> up, at[1] >> up, at[2] >> up};
      Region const near = region(block.level - up, parent, now_.shape.separation);
      if (i == 0) seen = near;
      for (std::size_t d = 0; d < 3; ++d) {
        seen.first[d] = std::min(seen.first[d], near.first[d]);
        seen.last[d] = std::max(seen.last[d], near.last[d]);
      }
    }
    std::int64_t const cell = std::int64_t(1) << deepest_, images = now_.shape.periodic ? 1 : 0;
    for (std::int64_t x = -images; x <= images; ++x)
      for (std::int64_t y = -images; y <= images; ++y)
        for (std::int64_t z = -images; z <= images; ++z)
          for (Region const& change : changes_)
            if (seen.meets(change, {x * cell, y * cell, z * cell})) return true;
    return false;
  }

  Tree const& planned_;
  TreeBlocks const& before_;
  Tree const& now_;
  std::uint32_t few_;
  int deepest_;
  TreeBlocks kept_;
  std::vector<bool> other_boxes_;  // by block: whether it has not the boxes, or not the sources, that it had
  std::vector<Region> changes_;
};

}  // namespace

KeptBlocks keep_blocks(Tree const& planned, TreeBlocks const& blocks, std::vector<BlockLists> const& lists,
                       Tree const& now, std::uint32_t few) {
  Keeping keeping(planned, blocks, now, few);
  for (int level = 0; level <= std::max(planned.depth(), now.depth()); ++level) keeping.give_level(level);
  return keeping.end(lists);
}

}  // namespace nearfar
