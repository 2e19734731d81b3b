// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

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

}  // namespace nearfar::detail
