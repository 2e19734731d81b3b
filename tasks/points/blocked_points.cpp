// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/blocked_points.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace nearfar::detail {

template <class T>
BlockedPoints<T>::BlockedPoints(std::vector<BlockSize> sizes, KeptForms kept)
    : sizes_(std::move(sizes)), kept_(kept), first_(sizes_.size() + 1), first_offset_(sizes_.size() + 1) {
  if (std::is_same_v<T, float>) kept_.rough = false;
  for (std::size_t b = 0; b < sizes_.size(); ++b) {
    points_ += std::size_t(sizes_[b].points);
    first_[b + 1] = first_[b] + padded(sizes_[b].points);
    // One more than its groups, and whole cache lines, so that blocks share none.
    first_offset_[b + 1] = first_offset_[b] + padded(sizes_[b].groups + 1);
  }
  positions_ = Arena<T>(std::size_t(3 * first_.back()));
  if (kept_.rough) rough_ = Arena<float>(positions_.size());
  indices_ = Arena<std::uint32_t>(std::size_t(first_.back()));
  offsets_ = Arena<std::int32_t>(std::size_t(first_offset_.back()));
}

template <class T>
void BlockedPoints<T>::make_forms(std::vector<OwnForms> const& by_block) {
  make_form(near_, by_block, &OwnForms::near);
  make_form(unwrapped_, by_block, &OwnForms::unwrapped);
}

template <class T>
void BlockedPoints<T>::make_form(Form& form, std::vector<OwnForms> const& by_block, bool OwnForms::*which) {
  std::int64_t size = 0;
  for (int b = 0; b < blocks(); ++b) {
    bool const own = by_block[std::size_t(b)].*which;
    form.first.push_back(own ? size : -1);
    if (own) size += 3 * stride(b);
  }
  form.positions = Arena<T>(std::size_t(size));
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
      bool const by_near = !frame.cells.periodic[d] && has_near;
      double in_unit = by_near ? double(point[d]) + frame.near_origin[d]
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
