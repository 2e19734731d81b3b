// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace nearfar::detail {

/// Points that all ranks give together: first those of rank 0, each rank's in the order in which it gave them.
struct Parts {
  std::vector<std::size_t> first{0, 0};  ///< point of each rank, and the end

  std::size_t all() const noexcept { return first.back(); }
  std::size_t of(int rank) const noexcept { return first[std::size_t(rank) + 1] - first[std::size_t(rank)]; }
  /// The only rank that gives points, or -1.
  int only() const noexcept {
    for (int r = 0; r + 1 < int(first.size()); ++r)
      if (of(r) == all()) return r;
    return -1;
  }
  int rank_of(std::size_t point) const noexcept {
    return int(std::upper_bound(first.begin(), first.end(), point) - first.begin()) - 1;
  }
};

/// Of sources, and of targets; nobody gives these if they are the sources.
struct GivenParts {
  Parts sources, targets;
};

}  // namespace nearfar::detail
