// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/views/packed_points.hpp"

#include "core/geometry/axes.hpp"
#include "core/kernels/description/description.hpp"
#include "tasks/points/dealt_points.hpp"
#include "tasks/points/expect.hpp"
#include "tasks/points/extent.hpp"
#include "tasks/points/views/kept_pairs.hpp"
#include "tasks/points/views/pack.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace nearfar::detail {

namespace {

void add(Extent& extent, RowsIn const& view) {
  for (std::size_t i = 0; i < view.rows(); ++i) {
    double const row[3] = {at(view, i, 0), at(view, i, 1), at(view, i, 2)};
    extent.add(std::span<double const>(row));
  }
}

/// A coordinate that is not finite is left to those who report it.
Offset offset_of(Region const& region, Extent const& extent) {
  Offset offset{};
  if (region.cell) {
    double const middle[3] = {extent.low[0] + extent.length(0) / 2, extent.low[1] + extent.length(1) / 2,
                              extent.low[2] + extent.length(2) / 2};
    offset = whole_rows(region, middle);
  }
  for (std::size_t d = 0; d < 3; ++d) {
    double const edge = region.box[d];
    if (region.cell && is_periodic(region.periodicity, int(d))) continue;
    if (is_periodic(region.periodicity, int(d))) {
      double const middle = extent.low[d] + extent.length(d) / 2, periods = std::floor(middle / edge);
      if (std::isfinite(periods)) offset[d] = periods * edge;
    } else if (edge == 0) {
      offset[d] = extent.low[d];
    }
  }
  return offset;
}

BulkVector<float> in_single(RelativeRows const& points) {
  BulkVector<float> rows(3 * points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    auto const x = points[i];
    for (std::size_t d = 0; d < 3; ++d) rows[3 * i + d] = float(x[d]);
  }
  return rows;
}

/// The rows of a view: the caller's own if they follow each other in memory, else a copy in `store`.
template <class T>
std::span<T const> rows_of(char const* what, RowsIn const& view, BulkVector<T>& store) {
  auto const* const first = static_cast<T const*>(view.columns()[0].first);
  bool in_place = true;
  for (std::size_t d = 0; d < 3; ++d) {
    auto const& column = view.columns()[d];
    in_place &= column.single == std::is_same_v<T, float> && column.stride == std::ptrdiff_t(3 * sizeof(T)) &&
                (view.rows() == 0 || column.first == first + d);
  }
  if (in_place) return {first, 3 * view.rows()};
  store = packed<T>(what, view, 3);
  return store;
}

/// Whether the coordinates of a view lose nothing in single precision, but for the rows of a skewed cell.
bool fit_single(Region const& region, RowsIn const& view) {
  if (!std::ranges::all_of(view.columns(), [](auto const& column) { return column.single; })) return false;
  for (std::size_t i = 0; i < view.rows(); ++i)
    for (std::size_t d = 0; d < 3; ++d)
      if (loses_digits(region, d, float(at(view, i, d)))) return false;
  return true;
}

}  // namespace

template <class T>
std::pair<RowsIn, RowsIn> views_of(Ranks const& ranks, OnHost<T> const& sources, OnHost<T> const& targets) {
  std::span<T const> from, to;
  ranks.together([&] {
    expect_arrays_of_points(sources.arrays(), targets.arrays());
    expect_whole_points("sources", sources.size());
    expect_whole_points("targets", targets.size());
    from = sources.rows();
    to = targets.rows();
  });
  return {RowsIn::packed(from.data(), from.size() / 3, 3), RowsIn::packed(to.data(), to.size() / 3, 3)};
}

template <class T>
bool needs_views(Region const& region, OnHost<T> const& points) {
  auto const& arrays = points.arrays().all();
  if (!std::is_same_v<T, float> || std::ranges::any_of(arrays, [](auto const& a) { return is_on_gpu(a.data()); }))
    return false;
  if (has_rounded_periods(region)) return true;
  for (std::span<T const> const rows : arrays)
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (loses_digits(region, i % 3, float(rows[i]))) return true;
  return false;
}

void expect_views(Ranks const& ranks, RowsIn const& sources, RowsIn const* targets) {
  ranks.together([&] {
    expect_columns("sources", sources.columns().size(), 3);
    if (targets != nullptr) expect_columns("targets", targets->columns().size(), 3);
  });
}

template <class T>
PackedPoints<T> packed_points(Ranks const& ranks, Region const& region, Kernel kernel, Outputs outputs,
                              RowsIn const& sources, RowsIn const* targets, Loop const& loop,
                              std::optional<Offset> const& offset) {
  PackedPoints<T> points;
  auto const find_moved = [&](RelativeRows const& from, RelativeRows const& to) {
    points.moved = std::make_shared<MovedPairs const>(
        moved_pairs(region, from, targets != nullptr ? &to : nullptr, power_of(kernel, outputs), loop));
  };
  if constexpr (std::is_same_v<T, float>) {
    bool const as_they_are = fit_single(region, sources) && (targets == nullptr || fit_single(region, *targets)) &&
                             offset.value_or(Offset()) == Offset();
    if (ranks.largest(std::uint64_t(!as_they_are)) > 0) {
      Extent extent = Extent::none();
      ranks.together([&] {
        add(extent, sources);
        if (targets != nullptr) add(extent, *targets);
      });
      points.offset = offset ? *offset : offset_of(region, extent_of_all(ranks, extent));
      ranks.together([&] {
        RelativeRows const from(region, sources, points.offset),
            to(region, targets ? *targets : sources, points.offset);
        points.sources = points.copies[0] = in_single(from);
        if (targets != nullptr) points.targets = points.copies[1] = in_single(to);
        find_moved(from, to);
      });
      return points;
    }
    // The images of points that are floats have moved.
    if (has_rounded_periods(region))
      ranks.together([&] {
        find_moved({region, sources, points.offset}, {region, targets ? *targets : sources, points.offset});
      });
  }
  ranks.together([&] {
    points.sources = rows_of("sources", sources, points.copies[0]);
    if (targets != nullptr) points.targets = rows_of("targets", *targets, points.copies[1]);
  });
  return points;
}

#define NEARFAR_INSTANTIATE(T)                                                                                       \
  template std::pair<RowsIn, RowsIn> views_of(Ranks const&, OnHost<T> const&, OnHost<T> const&);                     \
  template bool needs_views(Region const&, OnHost<T> const&);                                                        \
  template PackedPoints<T> packed_points(Ranks const&, Region const&, Kernel, Outputs, RowsIn const&, RowsIn const*, \
                                         Loop const&, std::optional<Offset> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
