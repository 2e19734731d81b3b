// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <vector>

namespace nearfar::detail {

/// No rank in particular: each has data of its own under this handle, and tasks that touch nothing else run on all.
inline constexpr int everywhere = -1;

/// Which rank has what: items in their order, in runs that are as even as can be, so that neighbours meet on one rank.
struct Owners {
  int ranks = 1;  ///< one: nothing leaves this process

  int of(int item, int items) const noexcept {
    return ranks > 1 ? int(std::int64_t(item) * ranks / items) : everywhere;
  }
  /// The rank of the caller's arrays.
  int first() const noexcept { return ranks > 1 ? 0 : everywhere; }
};

/// Which rank has which item, if each gets some that follow one another, and all have about the same to do. `cost` is
/// of the items, `before` what each rank has to do beside them, in the same unit.
std::vector<int> equal_pieces(std::vector<double> const& cost, std::vector<double> const& before);

}  // namespace nearfar::detail
