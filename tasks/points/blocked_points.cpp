// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/blocked_points.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

namespace nearfar::detail {

template <class T>
BlockedPoints<T>::BlockedPoints(std::vector<BlockSize> sizes, KeptForms kept, Place place)
    : sizes_(std::move(sizes)), kept_(kept), first_(sizes_.size() + 1), first_offset_(sizes_.size() + 1) {
  if (std::is_same_v<T, float>) kept_.rough = false;
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    points_ += std::size_t(sizes_[b].points);
    first_[b + 1] = first_[b] + (place == Place::ranks ? 0 : padded(sizes_[b].points));
    // One more than its groups, and whole cache lines, so that blocks share none.
    first_offset_[b + 1] = first_offset_[b] + padded(sizes_[b].groups + 1);
  }
  if (place == Place::runtime) return;
  make_offsets();
  if (place != Place::host) return;
  make_room();
  make_rows();
}

template <class T>
BlockedPoints<T>::BlockedPoints(std::vector<BlockSize> sizes, KeptForms kept, std::vector<std::int32_t> const& of_cells)
    : BlockedPoints(std::move(sizes), kept, Place::ranks) {
  auto cell = of_cells.begin();
  for (int b = 0; b < blocks(); ++b) {
    std::int32_t* const offset = offsets(b);
    offset[0] = 0;
    for (int g = 0; g < groups(b); ++g) offset[g + 1] = offset[g] + *cell++;
  }
}

template <class T>
void BlockedPoints<T>::hold(std::vector<int> const& held) {
  std::ranges::fill(first_, 0);
  for (int const b : held) first_[std::size_t(b) + 1] = stride(b);
  std::inclusive_scan(first_.begin(), first_.end(), first_.begin());
  make_room();
  make_rows();
}

template <class T>
void BlockedPoints<T>::make_offsets() const {
  offsets_ = Arena<std::int32_t>(std::size_t(first_offset_.back()));
}

template <class T>
void BlockedPoints<T>::make_room() const {
  positions_ = Arena<T>(std::size_t(3 * first_.back()));
  if (kept_.rough) rough_ = Arena<float>(positions_.size());
}

template <class T>
void BlockedPoints<T>::make_rows() const {
  indices_ = Arena<std::uint32_t>(std::size_t(first_.back()));
}

template <class T>
BlockedPoints<T> BlockedPoints<T>::in_runtime(std::vector<BlockSize> sizes, KeptForms kept, bool near,
                                              std::shared_ptr<KeptRoom> room) {
  BlockedPoints points(std::move(sizes), kept, Place::runtime);
  points.brought_ = std::make_unique<Brought>();
  auto const make = [&]<class A>(std::vector<Data>& form, char const* name, A const&, auto const& count) {
    for (int b = 0; b < points.blocks(); ++b)
      if (points.groups(b) == 0) form.emplace_back();
      else form.push_back(room ? room->next<A>(name, count(b)) : Data::temporary<A>(name, count(b)));
  };
  auto const coordinates = [&](int b) { return 3 * points.stride(b); };
  make(points.position_, "positions", T(), coordinates);
  if (near) make(points.near_position_, "near positions", T(), coordinates);
  if (kept.unwrapped) make(points.unwrapped_position_, "unwrapped positions", T(), coordinates);
  if (points.kept_.rough) make(points.rough_position_, "rough positions", float(), coordinates);
  make(points.offset_, "offsets", std::int32_t(), [&](int b) { return points.groups(b) + 1; });
  make(points.index_, "index", std::uint32_t(), [&](int b) { return points.stride(b); });
  points.room_ = std::move(room);
  return points;
}

template <class T>
std::vector<Handle> BlockedPoints<T>::handles(int block) const {
  auto const b = std::size_t(block);
  std::vector<Handle> all{offset_[b], index_[b], position_[b]};
  for (auto const* form : {&near_position_, &unwrapped_position_, &rough_position_})
    if (!form->empty()) all.push_back((*form)[b]);
  return all;
}

template <class T>
void BlockedPoints<T>::freeze() {
  for (auto* const form : {&offset_, &index_, &position_, &near_position_, &unwrapped_position_, &rough_position_})
    for (Data& data : *form)
      if (data != nullptr) data.freeze();
}

template <class T>
template <class A>
void BlockedPoints<T>::copy_to_host(Handle from, A* to, std::int64_t count) {
  if (to == nullptr) return;
  std::copy_n(static_cast<A const*>(acquire_on_host(from)), count, to);
  release_on_host(from);
}

template <class T>
void BlockedPoints<T>::bring_rows_to_host(std::shared_ptr<RuntimeState> const& runtime) const {
  if (!brought_) return;
  Awake awake;
  awake.begin(runtime);
  std::call_once(brought_->rows, [&] {
    make_rows();
    for (int b = 0; b < blocks(); ++b)
      if (groups(b) > 0) copy_to_host(index(b), rows(b), stride(b));
  });
}

template <class T>
void BlockedPoints<T>::bring_to_host(std::shared_ptr<RuntimeState> const& runtime) const {
  if (!brought_) return;
  Awake awake;
  awake.begin(runtime);
  bring_rows_to_host(runtime);
  std::call_once(brought_->all, [&] {
    make_offsets();
    make_room();
    std::vector<OwnForms> forms(sizes_.size());
    for (int b = 0; b < blocks(); ++b)
      if (groups(b) > 0) forms[std::size_t(b)] = {!near_position_.empty(), kept_.unwrapped};
    make_forms(forms);
    for (int b = 0; b < blocks(); ++b) {
      if (groups(b) == 0) continue;
      BlockArrays<T> const to = arrays(b);
      copy_to_host(offset(b), to.offset, to.cells + 1);
      copy_to_host(position(b), to.position, 3 * to.stride);
      copy_to_host(near_position(b), to.near, 3 * to.stride);
      copy_to_host(unwrapped_position(b), to.given, 3 * to.stride);
      copy_to_host(rough_position(b), to.rough, 3 * to.stride);
    }
  });
}

template <class T>
void BlockedPoints<T>::know_layers(CellColumns const& columns, std::vector<ColumnContent> const& content) {
  auto next = content.begin();
  for (int b = 0; b < blocks(); ++b) {
    Block const block = block_at(columns.cells, b);
    int const deep = columns.cells.cells_in(1, block.at[1]) * columns.pieces;
    auto& before = layers_.emplace_back(1, 0);
    for (int x = 0; x < columns.cells.cells_in(0, block.at[0]); ++x) {
      before.push_back(before.back());
      for (int piece = 0; piece < deep; ++piece) before.back() += (next++)->points;
    }
  }
}

template <class T>
int BlockedPoints<T>::before_layer(int block, int layer, int layers) const noexcept {
  if (!layers_.empty()) return layers_[std::size_t(block)][std::size_t(layer)];
  if (offsets_.size() > 0) return offsets(block)[std::int64_t(groups(block)) * layer / layers];
  return int(std::int64_t(count(block)) * layer / layers);
}

template <class T>
BlockedPoints<T>::BlockedPoints(std::vector<BlockSize> sizes) : sizes_(std::move(sizes)), first_(sizes_.size() + 1) {
  static T const nothing{};
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    points_ += std::size_t(sizes_[b].points);
    first_[b + 1] = first_[b] + padded(sizes_[b].points);
    for (auto* const handles : {&position_, &offset_, &index_})
      handles->push_back(Data::constant("points without content", &nothing, 1));
  }
}

template <class T>
void BlockedPoints<T>::make_forms(std::vector<OwnForms> const& by_block) const {
  make_form(near_, by_block, &OwnForms::near);
  make_form(unwrapped_, by_block, &OwnForms::unwrapped);
}

template <class T>
void BlockedPoints<T>::make_form(Form& form, std::vector<OwnForms> const& by_block, bool OwnForms::*which) const {
  std::int64_t size = 0;
  for (int b = 0; b < blocks(); ++b) {
    bool const own = by_block[std::size_t(b)].*which;
    form.first.push_back(own ? size : -1);
    if (own) size += 3 * stride(b);
  }
  form.positions = Arena<T>(std::size_t(size));
}

template <class T>
std::vector<std::int32_t const*> BlockedPoints<T>::block_offsets() const {
  std::vector<std::int32_t const*> offsets;
  for (int b = 0; b < blocks(); ++b) offsets.push_back(count(b) > 0 ? this->offsets(b) : nullptr);
  return offsets;
}

template <class T>
BlockArrays<T> BlockedPoints<T>::arrays(int block) const noexcept {
  auto const b = std::size_t(block);
  return {.points = count(block),
          .cells = groups(block),
          .stride = stride(block),
          .offset = offsets(block),
          .row = rows(block),
          .position = positions(block),
          .near = near_.at(block),
          .given = unwrapped_.at(block),
          .rough = kept_.rough ? rough_.data() + 3 * first_[b] : nullptr};
}

template <class T>
void BlockedPoints<T>::register_blocks() {
  for (int b = 0; b < blocks(); ++b) {
    auto const i = std::size_t(b);
    if (!holds(b)) {
      for (auto* const form : {&position_, &near_position_, &offset_, &index_}) form->emplace_back();
      if (kept_.unwrapped) unwrapped_position_.emplace_back();
      if (kept_.rough) rough_position_.emplace_back();
      continue;
    }
    position_.push_back(Data::constant("positions", positions(b), 3 * stride(b)));
    auto const own = [&](char const* name, Form const& form) {
      return form.has(b) ? Data::constant(name, form.at(b), 3 * stride(b)) : Data();
    };
    near_position_.push_back(own("near positions", near_));
    if (kept_.unwrapped) unwrapped_position_.push_back(own("unwrapped positions", unwrapped_));
    if (kept_.rough)
      rough_position_.push_back(Data::constant("rough positions", rough_.data() + 3 * first_[i], 3 * stride(b)));
    offset_.push_back(Data::constant("offsets", offsets(b), sizes_[i].groups + 1));
    index_.push_back(Data::constant("index", rows(b), stride(b)));
  }
}

template <class T>
void BlockedPoints<T>::expect_distinct(int block, Frame const& frame, char const* what) const {
  std::int32_t const* const offset = offsets(block);
  bool const has_near = near_.has(block);
  T const *const placed = positions(block), *const x = near(block);
  std::int64_t const s = stride(block);
  auto const at = [&](std::int32_t i) { return std::array<T, 3>{x[i], x[s + i], x[2 * s + i]}; };
  std::vector<std::int32_t> order;
  for (int g = 0; g < sizes_[std::size_t(block)].groups; ++g) {
    if (offset[g + 1] - offset[g] < 2) continue;
    order.resize(std::size_t(offset[g + 1] - offset[g]));
    std::iota(order.begin(), order.end(), offset[g]);
    std::sort(order.begin(), order.end(), [&](auto i, auto j) { return at(i) < at(j); });
    auto const same = std::adjacent_find(order.begin(), order.end(), [&](auto i, auto j) { return at(i) == at(j); });
    if (same == order.end()) continue;
    auto point = at(*same);
    for (std::size_t d = 0; d < 3; ++d) {
      double in_unit = has_near ? double(point[d]) + frame.near_origin[d]
                                : double(placed[std::int64_t(d) * s + *same]) + frame.origin[d];
      if (frame.cells.periodic[d] && in_unit < 0) in_unit += frame.cells.edge[d];
      point[d] = T(frame.unit.callers(in_unit));
    }
    not_distinct(what, rows(block)[same[0]], rows(block)[same[1]], outside(frame.axes, point));
  }
}

template class BlockedPoints<double>;
template class BlockedPoints<float>;

}  // namespace nearfar::detail
