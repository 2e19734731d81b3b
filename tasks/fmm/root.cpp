// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/fmm/root.hpp"

#include "core/geometry/near_frame.hpp"
#include "core/plan/fmm/choice.hpp"
#include "tasks/points/extent.hpp"

#include <nearfar/error.hpp>

#include <algorithm>
#include <cmath>

namespace nearfar::detail {

namespace {

bool is_periodic(FmmOptions const& options) { return options.periodicity == Periodicity::xyz; }

/// Where points may be.
Frame frame_of(FmmOptions const& options, Extent const& extent, LengthUnit const& unit) {
  Frame frame;
  frame.unit = unit;
  for (std::size_t d = 0; d < 3; ++d) {
    bool const open = options.box[d] == 0;
    frame.cells.periodic[d] = is_periodic(options);
    frame.cells.edge[d] = open ? unit.ours(extent.high[d]) - unit.ours(extent.low[d]) : unit.ours(options.box[d]);
    frame.origin[d] = open ? unit.ours(extent.low[d]) : 0;
  }
  return frame;
}

/// What is refused is outside an interval along each direction, so extremes tell whether any point is.
template <class T>
bool has_place(Frame const& frame, std::array<double, 3> const& point) {
  T const row[3] = {T(point[0]), T(point[1]), T(point[2])};
  T x[3];
  return place_point(frame, row, x);
}

}  // namespace

template <class T>
FmmRoot root_of(FmmOptions const& options, std::span<T const> sources, std::span<T const> targets, Loop const& loop) {
  Extent const extent = extent_of(sources, targets, loop);
  double longest = 0;
  for (std::size_t d = 0; d < 3; ++d)
    longest = std::max(longest, is_periodic(options) ? options.box[d] : extent.length(d));
  if (!std::isfinite(longest))
    throw Error(Fault::bad_input, "the points are farther apart than numbers go; scale them down");
  FmmRoot root;
  root.unit = LengthUnit::for_length(longest);
  Frame const frame = frame_of(options, extent, root.unit);
  if (!extent.finite || !has_place<T>(frame, extent.low) || !has_place<T>(frame, extent.high)) {
    for (std::size_t i = 0; i < sources.size() / 3; ++i) place(frame, &sources[3 * i], "source", i);
    for (std::size_t i = 0; i < targets.size() / 3; ++i) place(frame, &targets[3 * i], "target", i);
  }
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

FmmRoot stretched(FmmRoot root, double factor) {
  for (std::size_t d = 0; d < 3; ++d) root.centre[d] += (factor - 1) * root.half * root.aspect[d];
  root.half *= factor;
  return root;
}

template <class T>
PointsInRoot<T>::PointsInRoot(FmmOptions const& options, FmmRoot const& root, std::span<T const> rows, char const* what)
    : root_(root), frame_(frame_of(options, {}, root.unit)), periodic_(is_periodic(options)), rows_(rows), what_(what) {
  for (std::size_t d = 0; d < 3 && !periodic_; ++d)
    near_origin_[d] = nearfar::near_origin(root.centre[d] - root.half, root.centre[d] + root.half);
}

template <class T>
BulkVector<MortonKey> PointsInRoot<T>::keys(TreeShape const& shape, int level, Loop const& loop) const {
  BulkVector<MortonKey> keys(size());
  in_parts(loop, size(), parts_for(size()), [&](std::size_t, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      T relative[3], near[3];
      place(i, relative, near);
      keys[i] = point_key(shape, relative, level);
    }
  });
  return keys;
}

template FmmRoot root_of(FmmOptions const&, std::span<double const>, std::span<double const>, Loop const&);
template FmmRoot root_of(FmmOptions const&, std::span<float const>, std::span<float const>, Loop const&);
template class PointsInRoot<double>;
template class PointsInRoot<float>;

}  // namespace nearfar::detail
