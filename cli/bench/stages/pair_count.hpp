// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <vector>

namespace nearfar::cli {

/// Ordered pairs of points, images of others and of themselves included, closer than the cutoff; (x, y, z) rows in
/// [0, box). The first `periodic` directions repeat, and the cutoff is at most the box along these.
double pairs_within(std::vector<double> const& points, std::array<double, 3> const& box, int periodic, double cutoff);

}  // namespace nearfar::cli
