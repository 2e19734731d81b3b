// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/access.hpp"

#include <cstdint>
#include <vector>

namespace nearfar::detail {

/// No rank in particular: each has its own data under this handle, and tasks that touch nothing else run on all ranks.
inline constexpr int everywhere = -1;

/// Who owns what, among ranks or the GPUs of one process: consecutive items
/// in runs as even as possible, so that most neighbours have one owner.
struct Owners {
  int count = 1;  ///< 1: nothing is sent
  int turn = 0;   ///< the owner of the first run
  int gpus = 1;   ///< of each rank, among which its items are divided again

  int of(int item, int items) const noexcept {
    return count > 1 ? of_run(int(std::int64_t(item) * count / items)) : everywhere;
  }
  int of_run(int run) const noexcept { return (run + turn) % count; }
  /// The rank that has the caller's arrays.
  int first() const noexcept { return count > 1 ? 0 : everywhere; }
};

/// Marks the owner of a handle. `lasts`: it outlives the solves that use it.
void set_owner(Handle handle, int owner, bool lasts);
/// The owner that a handle was registered with, or `everywhere`.
int owner_of(Handle handle) noexcept;
/// Whether an owned handle outlives the solves that use it.
bool outlives_solves(Handle handle) noexcept;

/// Assigns consecutive items to ranks so that all have about equal work. `cost`
/// is that of the items, `before` the other work of each rank, in the same unit.
std::vector<int> equal_pieces(std::vector<double> const& cost, std::vector<double> const& before);

}  // namespace nearfar::detail
