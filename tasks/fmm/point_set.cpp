// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/point_set.hpp"

#include <algorithm>
#include <type_traits>

namespace nearfar::detail {

namespace {

template <class T>
BlockedPoints<T> in_leaves(FmmTree const& tree, PointsInRoot<T> const& given, Side side, bool distinct) {
  bool const sources = side == Side::sources;
  std::vector<BlockSize> sizes;
  for (int b = 0; b < tree.blocks(); ++b) {
    TreeBlock const& block = tree.block(b);
    if (!block.leaves) sizes.push_back({});
    else sizes.push_back({std::int32_t(sources ? block.sources : block.targets), block.size()});
  }
  BlockedPoints<T> points(std::move(sizes), {});
  int largest = 0;
  for (int b = 0; b < points.blocks(); ++b) largest = std::max(largest, points.count(b));
  std::vector<std::int32_t> table(distinct ? std::size_t(twin_table_size(largest)) : 0);
  auto const& order = sources ? tree.tree().source_order : tree.tree().target_order;
  Frame frame;
  std::fill_n(frame.cells.periodic, 3, false);
  frame.origin = given.root().centre;
  frame.near_origin = given.near_origin();
  frame.unit = given.root().unit;
  for (int b = 0; b < points.blocks(); ++b) {
    std::int32_t* offset = points.offsets(b);
    *offset = 0;
    if (!tree.block(b).leaves) continue;
    for (std::int32_t box : tree.block(b).boxes) {
      auto const& leaf = tree.tree().levels[std::size_t(tree.block(b).level)][std::size_t(box)];
      auto const& range = sources ? leaf.source : leaf.target;
      std::copy(order.begin() + range[0], order.begin() + range[1], points.rows(b) + *offset);
      offset[1] = *offset + std::int32_t(range[1] - range[0]);
      ++offset;
    }
    points.fill(
        b, [&](std::uint32_t row, T* relative, T* near, T*) { given.place(row, relative, near); },
        [&](std::uint32_t row) { given.fetch(row); });
    if (distinct && has_twins(points.near(b), points.stride(b), points.count(b), table.data()))
      points.expect_distinct(b, frame, "source");
  }
  points.register_blocks();
  return points;
}

}  // namespace

template <class T>
FmmPointSet<T>::FmmPointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<FmmSetup<T>> setup,
                            std::shared_ptr<FmmTree> tree, std::shared_ptr<FmmWorkspaces<T>> workspaces,
                            FmmParameters const& parameters, PointsInRoot<T> const& sources,
                            PointsInRoot<T> const& targets, bool same)
    : PlannedPoints<T>(std::move(runtime), plan), setup_(std::move(setup)), tree_(std::move(tree)),
      workspaces_(std::move(workspaces)), parameters_(parameters), unit_(sources.root().unit),
      near_origin_(sources.near_origin()) {
  this->sources_ = in_leaves(*tree_, sources, Side::sources, same);
  if (!same) this->targets_ = in_leaves(*tree_, targets, Side::targets, false);
}

template <class T>
std::vector<T> FmmPointSet<T>::rows(Side side) const {
  BlockedPoints<T> const& points = side == Side::sources ? this->sources() : this->targets();
  std::vector<T> rows(3 * points.size());
  for (int b = 0; b < points.blocks(); ++b)
    for (int i = 0; i < points.count(b); ++i)
      for (std::size_t d = 0; d < 3; ++d)
        rows[3 * std::size_t(points.rows(b)[i]) + d] =
            T(unit_.callers(double(points.near(b)[std::int64_t(d) * points.stride(b) + i]) + near_origin_[d]));
  return rows;
}

template <class T>
std::shared_ptr<FmmPointSet<T>> FmmPointSet<T>::finest() {
  std::lock_guard const lock(mutex_);
  return finer_ ? finer_->finest() : this->shared_from_this();
}

template <class T>
void FmmPointSet<T>::set_finer(std::shared_ptr<FmmPointSet> finer) {
  std::lock_guard const lock(mutex_);
  finer_.swap(finer);
}

template <class T>
void FmmPointSet<T>::set_coarser(std::shared_ptr<FmmPointSet> const& coarser, double error) {
  coarser_ = coarser;
  coarser_error_ = error;
}

template <class T>
void FmmPointSet<T>::give_up(double error) {
  gave_up_ = true;
  if (auto const coarser = coarser_.lock()) {
    coarser->gave_up_ = true;
    coarser->missed_ = std::max(coarser->missed(), error);
    coarser->set_finer(nullptr);
  }
}

template class FmmPointSet<double>;
template class FmmPointSet<float>;

}  // namespace nearfar::detail
