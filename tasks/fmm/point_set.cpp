// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/point_set.hpp"

#include "tasks/particles/given_rows.hpp"

#include <algorithm>
#include <type_traits>

namespace nearfar::detail {

namespace {

/// Fills in the rows of a block's points, and where the points of each leaf begin.
void number_block(FmmTree const& tree, int block, Side side, std::uint32_t* row, std::int32_t* offset) {
  bool const sources = side == Side::sources;
  auto const& order = sources ? tree.tree().source_order : tree.tree().target_order;
  std::int32_t next = 0;
  *offset = 0;
  if (!tree.block(block).of_leaves) return;
  for (std::int32_t box : tree.block(block).boxes) {
    auto const& leaf = tree.tree().levels[std::size_t(tree.block(block).level)][std::size_t(box)];
    auto const& range = sources ? leaf.source : leaf.target;
    std::copy(order.begin() + range[0], order.begin() + range[1], row + next);
    next += std::int32_t(range[1] - range[0]);
    *++offset = next;
  }
}

/// Fills in the positions of a block whose rows are known.
template <class T>
void fill_block(PointsInRoot<T> const& given, BlockArrays<T> const& out) {
  constexpr int ahead = 16;  // rows are scattered over memory, so they are prefetched
  for (int i = 0; i < out.points; ++i) {
    given.fetch(out.row[std::min(i + ahead, out.points - 1)]);
    T relative[3] = {}, near[3] = {};
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
    if (!block.of_leaves) sizes.push_back({});
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
  if (first != twins.end()) points.expect_distinct(int(first - twins.begin()), given.frame(), "source");
  points.register_blocks();
  return points;
}

}  // namespace

template <class T>
FmmPointSet<T>::FmmPointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<FmmSetup<T>> setup,
                            std::shared_ptr<FmmTree> tree, std::shared_ptr<FmmWorkspaces<T>> workspaces,
                            FmmPlanning const& parameters, PointsInRoot<T> const& sources)
    : PlannedPoints<T>(std::move(runtime), plan), setup_(std::move(setup)), tree_(std::move(tree)),
      workspaces_(std::move(workspaces)), parameters_(parameters), unit_(sources.root().unit),
      near_origin_(sources.near_origin()) {}

template <class T>
FmmPointSet<T>::FmmPointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<FmmSetup<T>> setup,
                            std::shared_ptr<FmmTree> tree, std::shared_ptr<FmmWorkspaces<T>> workspaces,
                            FmmPlanning const& parameters, PointsInRoot<T> const& sources,
                            PointsInRoot<T> const& targets, Targets which, bool distinct, Loop const& loop)
    : FmmPointSet(std::move(runtime), plan, std::move(setup), std::move(tree), std::move(workspaces), parameters,
                  sources) {
  this->sources_ = in_leaves(*tree_, sources, Side::sources, which == Targets::sources && !distinct, loop);
  if (which == Targets::own) this->targets_ = in_leaves(*tree_, targets, Side::targets, false, loop);
  tree_->drop_order();
}

template <class T>
FmmPointSet<T>::FmmPointSet(std::shared_ptr<RuntimeState> runtime, void const* plan, std::shared_ptr<FmmSetup<T>> setup,
                            std::shared_ptr<FmmTree> tree, std::shared_ptr<FmmWorkspaces<T>> workspaces,
                            FmmPlanning const& parameters, PointsInRoot<T> const& sources,
                            std::vector<BlockedPoints<T>> in_leaves)
    : FmmPointSet(std::move(runtime), plan, std::move(setup), std::move(tree), std::move(workspaces), parameters,
                  sources) {
  this->sources_ = std::move(in_leaves[0]);
  if (in_leaves.size() > 1) this->targets_ = std::move(in_leaves[1]);
}

template <class T>
void FmmPointSet<T>::deal(Ranks const& ranks, FmmInput<T> input, LeafCurve const& curve, int level, Loop const& loop) {
  own_sources_ = std::move(input.own_sources);
  own_targets_ = std::move(input.own_targets);
  this->sources_ = deal_leaves<T>(ranks, *tree_, Side::sources, {input.sources, own_sources_, curve, level},
                                  input.which == Targets::sources && !input.distinct, loop);
  if (input.which == Targets::own)
    this->targets_ =
        deal_leaves<T>(ranks, *tree_, Side::targets, {input.targets, own_targets_, curve, level}, false, loop);
  PlannedPoints<T>::set_parts(input.parts.sources, input.parts.targets, ranges(), owners(), ranks, false);
  ranks.together([&] {
    OwnRows const own = own_rows(*tree_, curve, own_sources_);
    this->set_routes(ranges(), owners(), owners(), own,
                     input.which == Targets::sources ? own : own_rows(*tree_, curve, own_targets_), ranks);
  });
}

template <class T>
void FmmPointSet<T>::set_parts(Parts sources, Parts targets, Ranks const& ranks) {
  this->set_all_parts(std::move(sources), std::move(targets), ranges(), owners(), owners(), ranks);
}

template <class T>
std::vector<TargetRange> FmmPointSet<T>::ranges() const {
  std::vector<TargetRange> ranges;
  for (int b = 0; b < this->targets().blocks(); ++b) ranges.push_back({b, {0, this->targets().count(b)}});
  return ranges;
}

template <class T>
std::vector<int> FmmPointSet<T>::owners() const {
  std::vector<int> owners;
  for (int b = 0; b < tree_->blocks(); ++b) owners.push_back(tree_->owner(b));
  return owners;
}

template <class T>
std::vector<T> FmmPointSet<T>::rows(Side side, Ranks const& ranks) const {
  bool const sources = side == Side::sources;
  BlockedPoints<T> const& points = sources ? this->sources() : this->targets();
  return given_rows(
      ranks, points, sources ? this->source_parts() : this->target_parts(), is_dealt(),
      [&](int b) { return tree_->owner(b) == ranks.rank(); },
      [&](int b) {
        return [this, near = points.near(b), stride = points.stride(b)](int i) {
          std::array<T, 3> row{};
          for (std::size_t d = 0; d < 3; ++d)
            row[d] = T(unit_.callers(double(near[std::int64_t(d) * stride + i]) + near_origin_[d]));
          return row;
        };
      });
}

template <class T>
void FmmPointSet<T>::set_moved_from(FmmPointSet const& before) {
  SeenPoints const& at_review = before.seen_at_review_ ? *before.seen_at_review_ : before.seen_;
  if (!before.reviewed() || moved_far(at_review, seen_, tree_->tree().shape)) return;
  seen_at_review_ = at_review;
  set_reviewed();
}

template <class T>
bool FmmPointSet<T>::has_higher_order() const {
  auto const coarser = this->below();
  return coarser && coarser->parameters().well_separation == parameters().well_separation;
}

template class FmmPointSet<double>;
template class FmmPointSet<float>;

}  // namespace nearfar::detail
