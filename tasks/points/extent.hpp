// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/axes.hpp"
#include "core/tree/loop.hpp"

#include <nearfar/ewald.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace nearfar::detail {

/// Whether an edge along a free direction is left to follow from the points.
inline bool has_open_edges(EwaldOptions const& options) {
  return std::count(options.box.begin(), options.box.end(), 0.0) > 0;
}

/// The smallest box around points, and the plan's box that follows from it; by the caller's axes.
struct Extent {
  std::array<double, 3> low{}, high{};

  bool finite = true;  ///< all coordinates are

  /// Adds rows of points; those that are not finite are reported later, by number.
  template <class T>
  void add(std::span<T const> rows) {
    Extent with = *this;
    double sum[3] = {};  // sums of 0 * x: zero unless something is not finite
    for (std::size_t i = 0; i + 2 < rows.size(); i += 3)
      for (std::size_t d = 0; d < 3; ++d) {
        double const x = double(rows[i + d]);
        with.low[d] = x < with.low[d] ? x : with.low[d];
        with.high[d] = x > with.high[d] ? x : with.high[d];
        sum[d] += x - x;
      }
    if (sum[0] + sum[1] + sum[2] == 0) *this = with;
    else add_finite(rows);
  }
  void add(Extent const& other) {
    for (std::size_t d = 0; d < 3; ++d) {
      low[d] = std::min(low[d], other.low[d]);
      high[d] = std::max(high[d], other.high[d]);
    }
    finite = finite && other.finite;
  }
  static Extent none() {
    constexpr double far = std::numeric_limits<double>::infinity();
    return {{far, far, far}, {-far, -far, -far}};
  }

  /// Without any finite coordinate, one point.
  Extent settled() const {
    Extent with = *this;
    for (std::size_t d = 0; d < 3; ++d)
      if (!(low[d] <= high[d])) with.low[d] = with.high[d] = 0;
    return with;
  }

  double length(std::size_t d) const { return high[d] - low[d]; }

  /// The edges that the caller gave, and how far the points spread along the others.
  std::array<double, 3> lengths(EwaldOptions const& options) const {
    std::array<double, 3> all = options.box;
    for (std::size_t d = 0; d < 3; ++d)
      if (all[d] == 0) all[d] = length(d);
    return all;
  }

  /// Whether the points fit into a box with these edges, wherever it is along the edges that were left open.
  bool fits(EwaldOptions const& options, std::array<double, 3> const& box) const {
    for (std::size_t d = 0; d < 3; ++d)
      if (options.box[d] == 0 && length(d) > box[d]) return false;
    return true;
  }

  /// Lengths for the open edges: a little more than the points need, so that not every step
  /// requires a new plan, and much more if they have outgrown a box before, since they may
  /// go on. No open edge is made so thin that the others would be out of proportion. Edges that
  /// the caller gave stay as they are: along periodic directions they are what is summed.
  std::array<double, 3> box_for(EwaldOptions const& options, std::array<double, 3> const* outgrown) const {
    constexpr double thinnest = 0.01, little = 1.01, much = 1.25;
    std::array<double, 3> box = options.box;
    for (std::size_t d = 0; d < 3; ++d)
      if (options.box[d] == 0) box[d] = outgrown ? std::max((*outgrown)[d], much * length(d)) : little * length(d);
    double const longest = *std::max_element(box.begin(), box.end());
    for (std::size_t d = 0; d < 3; ++d)
      if (options.box[d] == 0) box[d] = std::max(box[d], longest > 0 ? thinnest * longest : 1.0);
    return box;
  }

  /// The lower corner of a box that was given with these edges.
  std::array<double, 3> origin(std::array<double, 3> const& given) const {
    std::array<double, 3> at{};
    for (std::size_t d = 0; d < 3; ++d)
      if (given[d] == 0) at[d] = low[d];
    return at;
  }

 private:
  template <class T>
  void add_finite(std::span<T const> rows) {
    finite = false;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double const x = double(rows[i]);
      if (!std::isfinite(x)) continue;
      low[i % 3] = std::min(low[i % 3], x);
      high[i % 3] = std::max(high[i % 3], x);
    }
  }
};

/// Not settled: none of no points.
template <class T>
Extent extent_so_far(std::span<T const> sources, std::span<T const> targets, Loop const& loop = in_turn) {
  Extent extent = Extent::none();
  for (auto const& points : {sources, targets}) {
    std::size_t const count = points.size() / 3;
    std::vector<Extent> parts(parts_for(count), Extent::none());
    in_parts(loop, count, parts.size(), [&](std::size_t part, std::size_t first, std::size_t last) {
      parts[part].add(points.subspan(3 * first, 3 * (last - first)));
    });
    for (Extent const& part : parts) extent.add(part);
  }
  return extent;
}

}  // namespace nearfar::detail
