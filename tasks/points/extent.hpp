// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/geometry/axes.hpp"

#include <nearfar/ewald.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>

namespace nearfar::detail {

/// Whether an edge along a free direction is left to the points.
inline bool has_open_edges(EwaldOptions const& options) {
  return std::count(options.box.begin(), options.box.end(), 0.0) > 0;
}

/// The least box around points, and the plan's box that follows from it; by the caller's axes.
struct Extent {
  std::array<double, 3> low{}, high{};

  /// Adds rows of points; those that are not finite are told later, with their names.
  template <class T>
  void add(std::span<T const> rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double const x = double(rows[i]);
      if (!std::isfinite(x)) continue;
      low[i % 3] = std::min(low[i % 3], x);
      high[i % 3] = std::max(high[i % 3], x);
    }
  }

  double length(std::size_t d) const { return high[d] - low[d]; }

  /// Whether the points fit into a box of these edges, wherever it is along the edges that were left open.
  bool fits(EwaldOptions const& options, std::array<double, 3> const& box) const {
    for (std::size_t d = 0; d < 3; ++d)
      if (options.box[d] == 0 && length(d) > box[d]) return false;
    return true;
  }

  /// Edges for the open ones: a little more than the points need, so that not every step of theirs asks for another
  /// plan, and much more if they have outgrown a box before, since they may go on. No direction is so thin that the
  /// others would be out of proportion.
  std::array<double, 3> box_for(EwaldOptions const& options, std::array<double, 3> const* outgrown) const {
    constexpr double thinnest = 0.01, little = 1.01, much = 1.25;
    std::array<double, 3> box = options.box;
    for (std::size_t d = 0; d < 3; ++d)
      if (options.box[d] == 0) box[d] = outgrown ? std::max((*outgrown)[d], much * length(d)) : little * length(d);
    double const longest = *std::max_element(box.begin(), box.end());
    for (double& edge : box) edge = std::max(edge, longest > 0 ? thinnest * longest : 1.0);
    return box;
  }

  /// Where the box begins.
  std::array<double, 3> origin(EwaldOptions const& options) const {
    std::array<double, 3> at{};
    for (std::size_t d = 0; d < 3; ++d)
      if (options.box[d] == 0) at[d] = low[d];
    return at;
  }
};

template <class T>
Extent extent_of(std::span<T const> sources, std::span<T const> targets) {
  double const none = std::numeric_limits<double>::infinity();
  Extent extent{{none, none, none}, {-none, -none, -none}};
  extent.add(sources);
  extent.add(targets);
  for (std::size_t d = 0; d < 3; ++d)
    if (!(extent.low[d] <= extent.high[d])) extent.low[d] = extent.high[d] = 0;  // no finite coordinate at all
  return extent;
}

}  // namespace nearfar::detail
