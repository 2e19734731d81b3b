// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm_points.hpp"

#include "tasks/placement.hpp"

#include <algorithm>
#include <numeric>

namespace nearfar::detail {

template <class T>
LeafBlocks<T>::LeafBlocks(FmmTree const& tree, std::span<T const> rows, Side side)
    : points_(rows.size() / 3), count_(std::size_t(tree.blocks())), first_(count_.size() + 1) {
  bool const sources = side == Side::sources;
  for (int b = 0; b < tree.blocks(); ++b) {
    auto const i = std::size_t(b);
    TreeBlock const& block = tree.block(b);
    count_[i] = block.leaves ? int(sources ? block.sources : block.targets) : 0;
    first_[i + 1] = first_[i] + (count_[i] > 0 ? padded(count_[i]) : 0);
  }
  positions_ = Arena<T>(std::size_t(3 * first_.back()));
  indices_ = Arena<std::uint32_t>(std::size_t(first_.back()));
  auto const& order = sources ? tree.tree().source_order : tree.tree().target_order;
  position_.resize(count_.size());
  index_.resize(count_.size());
  for (int b = 0; b < tree.blocks(); ++b) {
    auto const i = std::size_t(b);
    if (count_[i] == 0) continue;
    TreeBlock const& block = tree.block(b);
    T* const x = positions_.data() + 3 * first_[i];
    std::uint32_t* const index = indices_.data() + first_[i];
    std::int64_t const s = stride(b);
    std::int64_t at = 0;
    for (std::int32_t box : block.boxes) {
      auto const& leaf = tree.tree().levels[std::size_t(block.level)][std::size_t(box)];
      auto const& range = sources ? leaf.source : leaf.target;
      for (std::uint32_t p = range[0]; p < range[1]; ++p, ++at) {
        index[at] = order[p];
        for (std::int64_t d = 0; d < 3; ++d) x[d * s + at] = rows[3 * std::size_t(order[p]) + std::size_t(d)];
      }
    }
    for (std::int64_t d = 0; d < 3; ++d) std::fill(x + d * s + at, x + (d + 1) * s, T(0));
    position_[i] = Data::over("positions", x, 3 * s);
    index_[i] = Data::over("index", index, s);
  }
}

template <class T>
void LeafBlocks<T>::expect_distinct(FmmTree const& tree, std::array<double, 3> const& centre, char const* what) const {
  std::vector<std::int32_t> order;
  for (int b = 0; b < tree.blocks(); ++b) {
    TreeBlock const& block = tree.block(b);
    if (!block.leaves) continue;
    T const* x = positions_.data() + 3 * first_[std::size_t(b)];
    std::int64_t const s = stride(b);
    auto at = [&](std::int32_t i) { return std::array<T, 3>{x[i], x[s + i], x[2 * s + i]}; };
    std::int32_t first = 0;
    for (std::int32_t box : block.boxes) {
      auto const& leaf = tree.tree().levels[std::size_t(block.level)][std::size_t(box)];
      order.resize(leaf.sources());
      std::iota(order.begin(), order.end(), first);
      first += std::int32_t(leaf.sources());
      std::sort(order.begin(), order.end(), [&](auto i, auto j) { return at(i) < at(j); });
      auto const same = std::adjacent_find(order.begin(), order.end(), [&](auto i, auto j) { return at(i) == at(j); });
      if (same == order.end()) continue;
      std::uint32_t const* index = indices_.data() + first_[std::size_t(b)];
      auto point = at(*same);
      for (std::size_t d = 0; d < 3; ++d) point[d] += T(centre[d]);
      not_distinct(what, index[same[0]], index[same[1]], point);
    }
  }
}

template <class T>
FmmPointSet<T>::FmmPointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<FmmSetup<T>> setup,
                            std::shared_ptr<FmmTree> tree, std::shared_ptr<FmmLanes<T>> lanes,
                            FmmParameters const& parameters, std::span<T const> sources, std::span<T const> targets,
                            bool same)
    : runtime_(std::move(runtime)), plan_(plan), setup_(std::move(setup)), tree_(std::move(tree)),
      lanes_(std::move(lanes)), parameters_(parameters),
      sources_(std::make_shared<LeafBlocks<T>>(*tree_, sources, Side::sources)),
      targets_(same ? sources_ : std::make_shared<LeafBlocks<T>>(*tree_, targets, Side::targets)) {
  if (same) sources_->expect_distinct(*tree_, tree_->tree().shape.centre, "source");
}

template class LeafBlocks<double>;
template class LeafBlocks<float>;
template class FmmPointSet<double>;
template class FmmPointSet<float>;

}  // namespace nearfar::detail
