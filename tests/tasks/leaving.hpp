// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stages.hpp"
#include "tasks/nodes/messages/recording.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace nearfar::test {

/// Expects that a task that a message waits for precedes others of its stage on its rank, and only such a task, unless
/// the results of its block leave later. Stages whose tasks are awaited all or none on each rank need no order.
/// Returns those that have tasks of both kinds on some rank.
inline std::set<std::string> expect_leaving_first(detail::Recording const& recording) {
  auto const& steps = recording.steps();
  std::vector<bool> awaited(steps.size());
  for (auto const& step : steps)
    for (int const before : step.after)
      if (step.stage.empty() && steps[std::size_t(before)].rank == step.rank) awaited[std::size_t(before)] = true;
  std::map<std::pair<std::string, int>, std::set<bool>> kinds;  // of a stage's tasks on a rank
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (!steps[i].stage.empty()) kinds[{std::string(steps[i].stage), steps[i].rank}].insert(awaited[i]);
  std::set<std::string> const to_merge{"p2p", "reduce", "g2p", "leaf_p2p", "m2p", "l2p", "m2l", "p2l"};
  std::set<std::string> both;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::string const stage(steps[i].stage);
    if (stage.empty() || kinds[{stage, steps[i].rank}].size() < 2) continue;
    both.insert(stage);
    bool const first = steps[i].priority > int(find_stage(stage)->priority);
    CAPTURE(stage);
    CAPTURE(steps[i].block);
    CAPTURE(steps[i].rank);
    if (awaited[i]) CHECK(first);
    else if (!to_merge.contains(stage)) CHECK(!first);
  }
  return both;
}

}  // namespace nearfar::test
