// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/chain/step_order.hpp"

#include <algorithm>
#include <functional>

namespace nearfar::detail {

StepOrder::Place StepOrder::next(std::span<int const> data, std::span<starpu_data_access_mode const> modes) {
  int const step = steps();
  std::vector<int> needed;
  for (std::size_t i = 0; i < data.size(); ++i) {
    if (std::size_t(data[i]) >= uses_.size()) uses_.resize(std::size_t(data[i]) + 1);
    Uses& uses = uses_[std::size_t(data[i])];
    if ((modes[i] & STARPU_RW) != 0 && uses.written >= 0) needed.push_back(uses.written);
    if ((modes[i] & STARPU_W) == 0) continue;
    needed.insert(needed.end(), uses.read.begin(), uses.read.end());
  }
  for (std::size_t i = 0; i < data.size(); ++i) {
    Uses& uses = uses_[std::size_t(data[i])];
    if ((modes[i] & STARPU_W) != 0) uses = {step, {}};
    else if ((modes[i] & STARPU_R) != 0) uses.read.push_back(step);
  }
  // A late step has waited for early ones, which then need not be named.
  std::ranges::sort(needed, std::greater());
  Place place{streams(), {}};
  std::vector<bool> before(std::size_t(step), false);
  for (int const other : needed) {
    if (before[std::size_t(other)]) continue;
    auto const ends = std::ranges::find(last_, other);
    if (place.stream == streams() && ends != last_.end()) place.stream = int(ends - last_.begin());
    else place.after.push_back(other);
    auto const& earlier = before_[std::size_t(other)];
    for (std::size_t k = 0; k < earlier.size(); ++k) before[k] = before[k] || earlier[k];
    before[std::size_t(other)] = true;
  }
  if (place.stream == streams()) last_.push_back(step);
  else last_[std::size_t(place.stream)] = step;
  before_.push_back(std::move(before));
  return place;
}

std::vector<int> StepOrder::ends() const {
  std::vector<bool> waited(before_.size(), false);
  for (auto const& before : before_)
    for (std::size_t k = 0; k < before.size(); ++k) waited[k] = waited[k] || before[k];
  std::vector<int> ends;
  for (int step = 0; step < steps(); ++step)
    if (!waited[std::size_t(step)]) ends.push_back(step);
  return ends;
}

}  // namespace nearfar::detail
