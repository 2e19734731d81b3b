// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/tree/box_walk.hpp"

namespace nearfar {

/// How a tree is cut into parts, one for each GPU: between leaves along the curve. A box belongs to the part in which
/// its first point would be, so that boxes and what is below them are mostly in one part.
struct PartsWanted {
  /// Seconds of a pair of points in U; of a source or a target, and of a leaf, in the far part. Leaves count as if all
  /// had as many interactions, and inner boxes not: they are few.
  double pair = 1, point = 0, leaf = 0;
  std::int32_t least = 1;  ///< boxes of a level that is cut; tasks of others are short, and would exchange expansions
  bool known = false;      ///< parts begin at these keys of the deepest level, as they did before points moved
  MortonKey begin[BoxCounts::most_parts - 1] = {};
};

/// What the host gets to know of the parts but the first: the key where each begins, and as PartBegins.
struct PartNumbers {
  int levels, others;

  NEARFAR_FUNCTION static PartNumbers of(BoxCounts const& counts) { return {counts.depth + 1, counts.parts - 1}; }
  std::int64_t size() const { return (1 + 2 * levels) * others; }
  PartBegins begins(std::uint64_t const* numbers) const {
    PartBegins found{};
    for (int i = 0; i < levels * others; ++i)
      found.of[i] = {std::int32_t(numbers[others + 2 * i]), std::int32_t(numbers[others + 2 * i + 1])};
    return found;
  }
};

struct WorkOfLeaf {
  BoxWalk walk;
  PartsWanted wanted;
  double* work;  ///< of each box, 0 of inner ones

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    auto const b = std::int32_t(i);
    BoxTree const& tree = walk.tree;
    work[b] = 0;
    if (!tree.is_leaf(b)) return;
    double const sources = tree.sources(b), targets = tree.targets(b);
    double seen = 0;
    if (targets > 0)
      for (int way = 0; way < tree.counts.near(); ++way)
        walk.visit_u_and_w_on_way(
            walk.seer(b, tree.counts.level_of(b)), way,
            [&](ImageBox const& box) { seen += double(tree.sources(box.box)); }, [](ImageBox const&) {});
    work[b] = wanted.leaf + wanted.point * (sources + targets) + wanted.pair * targets * seen;
  }
};
/// Box i of a level gets the work of its children.
struct AddChildren {
  BoxTree tree;
  int level;
  double* work;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    std::int32_t const b = tree.counts.begin[level] + std::int32_t(i), first = tree.all.first_child[b],
                       children = bits_of(std::uint32_t(tree.all.children[b]));
    for (std::int32_t c = first; c < first + children; ++c) work[b] += work[c];
  }
};
/// Where part i + 1 begins so that those before it have their share of all work: before or after the leaf that has more
/// than that, whichever is nearer.
struct CutAtLeaf {
  BoxTree tree;
  double const* work;
  std::uint64_t* keys;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    double left = work[0] * double(i + 1) / tree.counts.parts;
    std::int32_t b = 0;
    int level = 0;
    for (; !tree.is_leaf(b); ++level) {
      std::int32_t child = tree.all.first_child[b];
      std::int32_t const last = child + bits_of(std::uint32_t(tree.all.children[b])) - 1;
      while (child < last && left >= work[child]) left -= work[child++];
      b = child;
    }
    keys[i] = (tree.all.key[b] + (left > work[b] / 2 ? 1 : 0)) << 3 * (deepest_level - level);
  }
};
struct KnownCut {
  PartsWanted wanted;
  std::uint64_t* keys;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const { keys[i] = wanted.begin[i]; }
};

/// On each level, what is before each part but the first.
struct FindPartBegin {
  BoxTree tree;
  std::int32_t least;  ///< as in PartsWanted
  std::uint64_t* numbers;
  PartBegin* begins;

  NEARFAR_FUNCTION void operator()(std::int64_t i) const {
    BoxCounts const& counts = tree.counts;
    int const others = counts.parts - 1, level = int(i / others);
    std::int32_t const begin = counts.begin[level];
    std::int32_t first = 0, last = counts.size(level);
    if (last < least) first = last;
    MortonKey const key = numbers[i % others];
    while (first < last) {
      std::int32_t const middle = first + (last - first) / 2;
      if (tree.all.key[begin + middle] << 3 * (deepest_level - level) < key) first = middle + 1;
      else last = middle;
    }
    begins[i] = {first, tree.all.leaves[begin + first] - tree.all.leaves[begin]};
    numbers[others + 2 * i] = std::uint64_t(begins[i].box);
    numbers[others + 2 * i + 1] = std::uint64_t(begins[i].leaf);
  }
};

/// `numbers`: PartNumbers.
template <class Device>
void cut_parts(Device& device, BoxWalk const& walk, PartsWanted const& wanted, PartBegin* begins,
               std::uint64_t* numbers) {
  constexpr char what[] = "cuts a tree into parts";
  BoxTree const& tree = walk.tree;
  PartNumbers const size = PartNumbers::of(tree.counts);
  if (wanted.known) {
    device.for_all(size.others, KnownCut{wanted, numbers}, what);
  } else {
    auto* const work = device.template room<double>(tree.counts.all());
    device.for_all(tree.counts.all(), WorkOfLeaf{walk, wanted, work}, what);
    for (int l = tree.counts.depth - 1; l >= 0; --l)
      device.for_all(tree.counts.size(l), AddChildren{tree, l, work}, what);
    device.for_all(size.others, CutAtLeaf{tree, work, numbers}, what);
  }
  device.for_all(std::int64_t(size.levels) * size.others, FindPartBegin{tree, wanted.least, numbers, begins}, what);
}

}  // namespace nearfar
