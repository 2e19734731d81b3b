// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/points/views/packed_points.hpp"

#include "core/geometry/axes.hpp"
#include "core/geometry/lattice.hpp"
#include "core/kernels/description.hpp"
#include "core/plan/ewald/sample.hpp"
#include "tasks/points/dealt_points.hpp"
#include "tasks/points/expect.hpp"
#include "tasks/points/extent.hpp"
#include "tasks/points/views/pack.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace nearfar::detail {

namespace {

using Offset = std::array<double, 3>;

/// A coordinate that is beyond as many periods of its box is wrapped before it is rounded.
constexpr double far_away = 2;
/// Sources whose nearest neighbours are looked for, at least one, and pairs that may be tried for that.
constexpr std::size_t most_sampled = 32, most_pairs = 1 << 24;

double at(RowsIn const& view, std::size_t row, std::size_t column) {
  auto const& c = view.columns()[column];
  auto const* place = static_cast<char const*>(c.first) + std::ptrdiff_t(row) * c.stride;
  return c.single ? double(*reinterpret_cast<float const*>(place)) : *reinterpret_cast<double const*>(place);
}

void add(Extent& extent, RowsIn const& view) {
  for (std::size_t i = 0; i < view.rows(); ++i) {
    double const row[3] = {at(view, i, 0), at(view, i, 1), at(view, i, 2)};
    extent.add(std::span<double const>(row));
  }
}

/// The vector of a skewed cell's whole rows that is nearest below a point.
Offset whole_rows(Region const& region, double const* x, double least = 0) {
  CellRows rows = *region.cell;
  for (std::size_t d = 0; d < 3; ++d)
    if (!is_periodic(region.periodicity, int(d))) rows[d] = {double(d == 0), double(d == 1), double(d == 2)};
  CellLattice const lattice = CellLattice::of(rows);
  double images[3] = {};
  for (int d = 0; d < 3; ++d)
    if (double const at = lattice.fraction(d, x);
        is_periodic(region.periodicity, d) && std::abs(at) >= least && std::isfinite(at))
      images[d] = std::floor(at);
  Offset whole;
  lattice.shift(images[0], images[1], images[2], whole.data());
  return whole;
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

/// Rows of floats: what is left after the offset, and after whole periods of points that are far away.
BulkVector<float> relative(Region const& region, RowsIn const& view, Offset const& offset) {
  BulkVector<float> rows(3 * view.rows());
  for (std::size_t i = 0; region.cell && i < view.rows(); ++i) {
    double x[3];
    for (std::size_t d = 0; d < 3; ++d) x[d] = at(view, i, d) - offset[d];
    Offset const whole = region.as_given ? Offset() : whole_rows(region, x, far_away);
    for (std::size_t d = 0; d < 3; ++d) rows[3 * i + d] = float(x[d] - whole[d]);
  }
  for (std::size_t i = 0; !region.cell && i < view.rows(); ++i)
    for (std::size_t d = 0; d < 3; ++d) {
      double const edge = region.box[d];
      double x = at(view, i, d) - offset[d];
      if (is_periodic(region.periodicity, int(d)) && !region.as_given && std::abs(x) > far_away * edge &&
          std::isfinite(x))
        x -= edge * std::floor(x / edge);
      rows[3 * i + d] = float(x);
    }
  return rows;
}

/// The sum of squares of what rounding moves each sampled source, over its nearest neighbour's distance, and how many
/// were sampled.
std::array<double, 2> moved(RowsIn const& view, BulkVector<float> const& rows) {
  constexpr double unit = double(std::numeric_limits<float>::epsilon()) / 2, mean_square = 1.0 / 3;
  std::size_t const all = view.rows(),
                    count = all < 2 ? 0 : std::min({all, most_sampled, std::max<std::size_t>(1, most_pairs / all)});
  std::array<double, 2> sums{0, double(count)};
  for (std::size_t s = 0; s < count; ++s) {
    std::size_t const i = sampled(s, count, all);
    double nearest = std::numeric_limits<double>::infinity(), rounded = 0;
    for (std::size_t j = 0; j < all; ++j) {
      double square = 0;
      for (std::size_t d = 0; d < 3; ++d) {
        double const difference = at(view, i, d) - at(view, j, d);
        square += difference * difference;
      }
      if (square > 0) nearest = std::min(nearest, square);
    }
    for (std::size_t d = 0; d < 3; ++d) {
      double const x = double(rows[3 * i + d]);
      rounded += mean_square * unit * unit * x * x;
    }
    if (std::isfinite(rounded) && std::isfinite(nearest)) sums[0] += rounded / nearest;
  }
  return sums;
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

bool is_single(RowsIn const& view) {
  return std::ranges::all_of(view.columns(), [](auto const& column) { return column.single; });
}

}  // namespace

template <class T>
std::pair<RowsIn, RowsIn> views_of(Ranks const& ranks, OnHost<T> const& sources, OnHost<T> const& targets) {
  std::span<T const> from, to;
  ranks.together([&] {
    expect_whole_points("sources", sources.size());
    expect_whole_points("targets", targets.size());
    from = sources.rows();
    to = targets.rows();
  });
  return {RowsIn::packed(from.data(), from.size() / 3, 3), RowsIn::packed(to.data(), to.size() / 3, 3)};
}

void expect_views(Ranks const& ranks, RowsIn const& sources, RowsIn const* targets) {
  ranks.together([&] {
    expect_columns("sources", sources.columns().size(), 3);
    if (targets != nullptr) expect_columns("targets", targets->columns().size(), 3);
  });
}

template <class T>
PackedPoints<T> packed_points(Ranks const& ranks, Region const& region, RowsIn const& sources, RowsIn const* targets,
                              std::optional<Offset> const& offset) {
  PackedPoints<T> points;
  if constexpr (std::is_same_v<T, float>) {
    bool const as_they_are =
        is_single(sources) && (targets == nullptr || is_single(*targets)) && offset.value_or(Offset()) == Offset();
    if (ranks.largest(std::uint64_t(!as_they_are)) > 0) {
      Extent extent = Extent::none();
      ranks.together([&] {
        add(extent, sources);
        if (targets != nullptr) add(extent, *targets);
      });
      points.offset = offset ? *offset : offset_of(region, extent_of_all(ranks, extent));
      std::array<double, 2> sums{};
      ranks.together([&] {
        points.sources = points.copies[0] = relative(region, sources, points.offset);
        if (targets != nullptr) points.targets = points.copies[1] = relative(region, *targets, points.offset);
        if (!is_single(sources)) sums = moved(sources, points.copies[0]);
      });
      std::array<long double, 2> all{sums[0], sums[1]};
      ranks.sum(std::span<long double>(all));
      if (all[1] > 0) points.rounding = double(std::sqrt(all[0] / all[1]));
      return points;
    }
  }
  ranks.together([&] {
    points.sources = rows_of("sources", sources, points.copies[0]);
    if (targets != nullptr) points.targets = rows_of("targets", *targets, points.copies[1]);
  });
  return points;
}

double error_of_rounding(Kernel kernel, Outputs outputs, std::size_t sources, double rounding) noexcept {
  bool const falls_slowly = describe(kernel, outputs).last_power() == 0;
  return rounding * (falls_slowly ? std::min(1.0, 0.7 * std::pow(double(sources), -1.0 / 6)) : 2);
}

#define NEARFAR_INSTANTIATE(T)                                                                      \
  template std::pair<RowsIn, RowsIn> views_of(Ranks const&, OnHost<T> const&, OnHost<T> const&);    \
  template PackedPoints<T> packed_points(Ranks const&, Region const&, RowsIn const&, RowsIn const*, \
                                         std::optional<Offset> const&);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar::detail
