// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/tree/root.hpp"

#include "core/geometry/near_frame.hpp"
#include "core/plan/fmm/choice.hpp"
#include "tasks/points/dealt_points.hpp"
#include "tasks/points/extent.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

bool is_periodic(FmmOptions const& options) { return options.periodicity == Periodicity::xyz; }

/// The region where points are allowed.
template <class T>
Frame frame_of(FmmOptions const& options, Extent const& extent, LengthUnit const& unit) {
  Frame frame;
  frame.unit = unit;
  for (std::size_t d = 0; d < 3; ++d) {
    bool const open = options.box[d] == 0;
    frame.cells.periodic[d] = is_periodic(options);
    frame.cells.edge[d] = open ? unit.ours(extent.high[d]) - unit.ours(extent.low[d]) : unit.ours(options.box[d]);
    frame.origin[d] = open ? unit.ours(extent.low[d]) : 0;
  }
  take_in_ends<T>(frame.cells);
  return frame;
}

/// Refused points lie outside an interval in some direction, so checking the extremes finds them.
template <class T>
bool has_place(Frame const& frame, std::array<double, 3> const& point) {
  T const row[3] = {T(point[0]), T(point[1]), T(point[2])};
  T x[3];
  return place_point(frame, row, x);
}

}  // namespace

namespace {

/// A root around points of this extent.
FmmRoot root_around(FmmOptions const& options, Extent const& extent) {
  double longest = 0;
  for (std::size_t d = 0; d < 3; ++d)
    longest = std::max(longest, is_periodic(options) ? options.box[d] : extent.length(d));
  if (!std::isfinite(longest))
    throw Error(Fault::bad_input, "the points are farther apart than numbers go; scale them down");
  FmmRoot root;
  root.unit = LengthUnit::for_length(longest);
  double const edge = root.unit.ours(longest);
  if (is_periodic(options)) {
    root.half = edge / 2;
    root.aspect = cell_aspect(options);
    for (std::size_t d = 0; d < 3; ++d) root.centre[d] = root.unit.ours(options.box[d]) / 2;
    return root;
  }
  for (std::size_t d = 0; d < 3; ++d)
    root.centre[d] = root.unit.ours(extent.low[d]) + root.unit.ours(extent.length(d)) / 2;
  root.half = longest > 0 ? 0.5 * (1 + 1e-6) * edge : 1;
  return root;
}

}  // namespace

template <class T>
std::optional<FmmRoot> root_in(FmmOptions const& options, Extent const& extent) {
  FmmRoot const root = root_around(options, extent);
  Frame const frame = frame_of<T>(options, extent, root.unit);
  if (extent.finite && has_place<T>(frame, extent.low) && has_place<T>(frame, extent.high)) return root;
  return {};
}

template <class T>
FmmRoot root_of(FmmOptions const& options, Ranks const& ranks, GivenPoints<T> const& sources,
                GivenPoints<T> const& targets, Loop const& loop) {
  Extent mine = Extent::none();
  ranks.together([&] { mine = extent_so_far(sources.rows, targets.rows, loop); });
  Extent const extent = extent_of_all(ranks, mine);
  FmmRoot root;
  ranks.together([&] {
    if (auto const found = root_in<T>(options, extent)) {
      root = *found;
      return;
    }
    root = root_around(options, extent);
    Frame const frame = frame_of<T>(options, extent, root.unit);
    auto const look = [&](GivenPoints<T> const& given, char const* what) {
      for (std::size_t i = 0; i < given.rows.size() / 3; ++i) place(frame, &given.rows[3 * i], what, given.first + i);
    };
    look(sources, "source");
    look(targets, "target");
  });
  return root;
}

FmmRoot stretched(FmmRoot root, double factor) {
  for (std::size_t d = 0; d < 3; ++d) root.centre[d] += (factor - 1) * root.half * root.aspect[d];
  root.half *= factor;
  return root;
}

template <class T>
PointsInRoot<T>::PointsInRoot(FmmOptions const& options, FmmRoot const& root, GivenPoints<T> const& given,
                              char const* what)
    : root_(root), place_{frame_of<T>(options, {}, root.unit), is_periodic(options)}, given_(given), what_(what) {
  for (std::size_t d = 0; d < 3 && !place_.periodic; ++d)
    near_origin_[d] = nearfar::near_origin(root.centre[d] - root.half, root.centre[d] + root.half);
  std::copy_n(root_.centre.begin(), 3, place_.centre);
  std::copy_n(near_origin_.begin(), 3, place_.near_origin);
}

template <class T>
BulkVector<MortonKey> PointsInRoot<T>::keys(int level, Loop const& loop) const {
  TreeShape const shape = this->shape();
  BulkVector<MortonKey> keys(size());
  in_parts(loop, size(), parts_for(size()), [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      T relative[3] = {}, near[3] = {};
      place(i, relative, near);
      keys[i] = point_key(shape, relative, level);
    }
  });
  return keys;
}

namespace {

/// The keys of all ranks' points, in order, without numbers.
SortedKeys keys_of_all(Ranks const& ranks, SortedKeys const& own) {
  Parts const parts = ranks.parts(own.keys.size());
  std::vector<MortonKey> store;
  SortedKeys all{{}, {}, own.level};
  auto const keys = ranks.join(std::span<MortonKey const>(own.keys), parts, 1, store);
  ranks.together([&] {
    all.keys.assign(keys.begin(), keys.end());
    store = {};
    std::size_t const count = parts.first.size() - 1;
    auto const first = [&](std::size_t rank) {
      return all.keys.begin() + std::ptrdiff_t(parts.first[std::min(rank, count)]);
    };
    for (std::size_t width = 1; width < count; width *= 2)
      for (std::size_t r = 0; r + width < count; r += 2 * width)
        std::inplace_merge(first(r), first(r + width), first(r + 2 * width));
  });
  return all;
}

}  // namespace

template <class T>
SortedPoints<T>::SortedPoints(Ranks const& ranks, PointsInRoot<T> const& points, int level, Loop const& loop)
    : points_(points), level_(level), loop_(loop), connected_(ranks.connected()) {
  if (!connected_) return;
  ranks.together([&] { own_ = sorted(points_.keys(level, loop_), level, loop_); });
  all_ = keys_of_all(ranks, own_);
}

template <class T>
SortedKeys const& SortedPoints<T>::keys(int level) {
  if (!connected_ && (all_.keys.empty() || all_.level < level)) all_ = sorted(points_.keys(level, loop_), level, loop_);
  return all_;
}

template <class T>
SortedKeys SortedPoints<T>::take_keys() {
  keys(level_);
  return std::move(all_);
}

template std::optional<FmmRoot> root_in<double>(FmmOptions const&, Extent const&);
template std::optional<FmmRoot> root_in<float>(FmmOptions const&, Extent const&);
template FmmRoot root_of(FmmOptions const&, Ranks const&, GivenPoints<double> const&, GivenPoints<double> const&,
                         Loop const&);
template FmmRoot root_of(FmmOptions const&, Ranks const&, GivenPoints<float> const&, GivenPoints<float> const&,
                         Loop const&);
template class PointsInRoot<double>;
template class PointsInRoot<float>;
template class SortedPoints<double>;
template class SortedPoints<float>;

}  // namespace nearfar::detail
