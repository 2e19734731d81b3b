// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/point_set.hpp"

#include <algorithm>
#include <type_traits>

namespace nearfar::detail {

namespace {

/// The rows of a block of leaves, and where those of each begin.
void number_block(FmmTree const& tree, int block, Side side, std::uint32_t* row, std::int32_t* offset) {
  bool const sources = side == Side::sources;
  auto const& order = sources ? tree.tree().source_order : tree.tree().target_order;
  std::int32_t next = 0;
  *offset = 0;
  if (!tree.block(block).leaves) return;
  for (std::int32_t box : tree.block(block).boxes) {
    auto const& leaf = tree.tree().levels[std::size_t(tree.block(block).level)][std::size_t(box)];
    auto const& range = sources ? leaf.source : leaf.target;
    std::copy(order.begin() + range[0], order.begin() + range[1], row + next);
    next += std::int32_t(range[1] - range[0]);
    *++offset = next;
  }
}

/// The positions of a block whose rows are known.
template <class T>
void fill_block(PointsInRoot<T> const& given, BlockArrays<T> const& out) {
  constexpr int ahead = 16;  // rows are anywhere in memory, and each would be waited for
  for (int i = 0; i < out.points; ++i) {
    given.fetch(out.row[std::min(i + ahead, out.points - 1)]);
    T relative[3], near[3];
    given.place(out.row[i], relative, near);
    for (std::int64_t d = 0; d < 3; ++d) {
      out.position[d * out.stride + i] = relative[d];
      if (out.near != nullptr) out.near[d * out.stride + i] = near[d];
    }
  }
  clear_padding(PieceArrays<T>::of(out, 0, out.cells, 0, out.points));
}

template <class T>
BlockedPoints<T> in_leaves(FmmTree const& tree, PointsInRoot<T> const& given, Side side, bool distinct,
                           Loop const& loop) {
  std::vector<BlockSize> sizes;
  for (int b = 0; b < tree.blocks(); ++b) {
    TreeBlock const& block = tree.block(b);
    if (!block.leaves) sizes.push_back({});
    else sizes.push_back({std::int32_t(side == Side::sources ? block.sources : block.targets), block.size()});
  }
  BlockedPoints<T> points(std::move(sizes), {});
  auto const blocks = std::size_t(points.blocks());
  points.make_forms(std::vector<OwnForms>(blocks, {.near = given.has_near()}));
  std::vector<char> twins(blocks, 0);
  loop(blocks, [&](std::size_t b) {
    auto const out = points.arrays(int(b));
    number_block(tree, int(b), side, out.row, out.offset);
    fill_block(given, out);
    if (!distinct || out.points == 0) return;
    BulkVector<std::int32_t> table(std::size_t(twin_table_size(out.points)));
    twins[b] = has_twins(points.near(int(b)), out.stride, out.points, table.data());
  });
  auto const first = std::find(twins.begin(), twins.end(), 1);
  if (first != twins.end()) {
    Frame frame;
    std::fill_n(frame.cells.periodic, 3, false);
    frame.origin = given.root().centre;
    frame.near_origin = given.near_origin();
    frame.unit = given.root().unit;
    points.expect_distinct(int(first - twins.begin()), frame, "source");
  }
  points.register_blocks();
  return points;
}

}  // namespace

template <class T>
FmmPointSet<T>::FmmPointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<FmmSetup<T>> setup,
                            std::shared_ptr<FmmTree> tree, std::shared_ptr<FmmWorkspaces<T>> workspaces,
                            FmmParameters const& parameters, PointsInRoot<T> const& sources,
                            PointsInRoot<T> const& targets, bool same, bool distinct, Loop const& loop)
    : PlannedPoints<T>(std::move(runtime), plan), setup_(std::move(setup)), tree_(std::move(tree)),
      workspaces_(std::move(workspaces)), parameters_(parameters), unit_(sources.root().unit),
      near_origin_(sources.near_origin()) {
  this->sources_ = in_leaves(*tree_, sources, Side::sources, same && !distinct, loop);
  if (!same) this->targets_ = in_leaves(*tree_, targets, Side::targets, false, loop);
  tree_->drop_order();
}

template <class T>
Tree FmmPointSet<T>::ordered_tree() const {
  Tree tree = tree_->tree();
  auto const order = [&](BlockedPoints<T> const& points, Side side) {
    BulkVector<std::uint32_t> order(points.size());
    for (int level = 0; level <= tree.depth(); ++level)
      for (int box = 0; box < int(tree.levels[std::size_t(level)].size()); ++box) {
        TreeBox const& leaf = tree.levels[std::size_t(level)][std::size_t(box)];
        if (!leaf.is_leaf()) continue;
        LocalBox const local = tree_->local_box(level, box);
        auto const [range, first] = side == Side::sources ? std::pair(leaf.source, local.first_source)
                                                          : std::pair(leaf.target, local.first_target);
        std::copy_n(points.rows(local.block) + first, range[1] - range[0], order.begin() + range[0]);
      }
    return order;
  };
  tree.source_order = order(this->sources(), Side::sources);
  if (!this->same()) tree.target_order = order(this->targets(), Side::targets);
  return tree;
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
