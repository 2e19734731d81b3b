// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/owners.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace nearfar::detail {

namespace {

/// StarPU stores one pointer of user data per handle. We keep a small number there, the owner and whether the data
/// outlive solves; larger values are addresses with other meanings.
constexpr std::uintptr_t max_owners = std::uintptr_t(1) << 16;

std::uintptr_t mark_of(Handle handle) noexcept {
  auto const mark = reinterpret_cast<std::uintptr_t>(starpu_data_get_user_data(handle));
  return mark <= 2 * max_owners + 1 ? mark : 0;
}

/// The total that each rank should have, such that those with less before get more of the rest.
double level(std::vector<double> before, double cost) {
  std::sort(before.begin(), before.end());
  double sum = cost;
  for (std::size_t ranks = 1; ranks <= before.size(); ++ranks) {
    sum += before[ranks - 1];
    if (ranks == before.size() || sum / double(ranks) <= before[ranks]) return sum / double(ranks);
  }
  return 0;
}

}  // namespace

void set_owner(Handle handle, int owner, bool lasts) {
  starpu_data_set_user_data(handle, reinterpret_cast<void*>(2 * (std::uintptr_t(owner) + 1) + (lasts ? 1 : 0)));
}

int owner_of(Handle handle) noexcept {
  auto const mark = mark_of(handle);
  return mark == 0 ? everywhere : int(mark / 2) - 1;
}

bool outlives_solves(Handle handle) noexcept { return mark_of(handle) % 2 == 1; }

std::vector<int> equal_pieces(std::vector<double> const& cost, std::vector<double> const& before) {
  double const full = level(before, std::accumulate(cost.begin(), cost.end(), 0.0));
  std::vector<double> end;  // of each rank's piece
  for (double b : before) end.push_back((end.empty() ? 0 : end.back()) + std::max(0.0, full - b));
  std::vector<int> rank;
  double done = 0;
  for (double c : cost) {
    auto const piece = std::upper_bound(end.begin(), end.end(), done + c / 2);
    rank.push_back(std::min(int(piece - end.begin()), int(before.size()) - 1));
    done += c;
  }
  return rank;
}

}  // namespace nearfar::detail
