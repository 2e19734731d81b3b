// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"

#include <cstdint>
#include <vector>

namespace nearfar::detail {

/// No rank in particular: each has data of its own under this handle, and tasks that touch nothing else run on all.
inline constexpr int everywhere = -1;

/// Who has what, ranks, or the GPUs of one process: items in their order, in runs that are as even as can be, so that
/// neighbours meet at one owner.
struct Owners {
  int count = 1;  ///< one: nothing moves
  int turn = 0;   ///< whose the first run is

  int of(int item, int items) const noexcept {
    return count > 1 ? of_run(int(std::int64_t(item) * count / items)) : everywhere;
  }
  int of_run(int run) const noexcept { return (run + turn) % count; }
  /// The rank of the caller's arrays.
  int first() const noexcept { return count > 1 ? 0 : everywhere; }
};

/// Lets a handle say who owns it. `lasts`: it outlives the solves that use it.
void set_owner(Handle handle, int owner, bool lasts);
/// Whom a handle was registered for, or `everywhere`.
int owner_of(Handle handle) noexcept;
/// Whether a handle that is owned outlives the solves that use it.
bool outlives_solves(Handle handle) noexcept;

/// Which rank has which item, if each gets some that follow one another, and all have about the same to do. `cost` is
/// of the items, `before` what each rank has to do beside them, in the same unit.
std::vector<int> equal_pieces(std::vector<double> const& cost, std::vector<double> const& before);

}  // namespace nearfar::detail
