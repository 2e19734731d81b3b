// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/spectral/fft/plans.hpp"
#include "tasks/nodes/ranks.hpp"

#include <span>
#include <string>
#include <vector>

namespace nearfar::detail {

/// Calls `prepare`, which makes plans of transforms, on all ranks: the first one measures, and the others
/// adopt what it learned, so that all round alike and results do not depend on which rank has a slab.
template <class T, class Prepare>
void plan_alike(Ranks const& ranks, Prepare prepare) {
  ranks.on_first(prepare);
  if (!ranks.connected()) return;
  std::string const own = ranks.rank() == 0 ? learned_plans<T>() : std::string();
  std::vector<char> store;
  auto const learned = ranks.share(std::span<char const>(own), store);
  ranks.together([&] {
    if (ranks.rank() == 0) return;
    learn_plans<T>(std::string(learned.begin(), learned.end()));
    prepare();
  });
}

}  // namespace nearfar::detail
