// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/nodes/messages/recording.hpp"

#include <algorithm>

namespace nearfar::detail {

void Recording::task(GraphStep step, Accesses const& accesses) {
  std::vector<int> before;
  for (auto const& [data, mode] : accesses)
    if (mode != STARPU_SCRATCH) users_[{step.rank, data}].add(int(steps_.size()), mode, before);
  add(std::move(step), std::move(before));
}

void Recording::message(Handle data, int from, int to) {
  std::vector<int> before;
  int const number = int(steps_.size());
  users_[{from, data}].add(number, STARPU_R, before);
  users_[{to, data}].add(number, STARPU_W, before);
  add({.stage = {}, .rank = from, .to = to, .bytes = starpu_data_get_size(data), .after = {}}, std::move(before));
}

void Recording::add(GraphStep step, std::vector<int> before) {
  std::ranges::sort(before);
  before.erase(std::unique(before.begin(), before.end()), before.end());  // not of ranges: clang 14
  std::erase(before, int(steps_.size()));                                 // a task may touch data twice
  step.after = std::move(before);
  steps_.push_back(std::move(step));
}

}  // namespace nearfar::detail
