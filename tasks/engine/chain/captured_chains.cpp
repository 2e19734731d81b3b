// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/engine/chain/captured_chains.hpp"

#include "tasks/engine/runtime/memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>

namespace nearfar::detail {

bool suits_capture(bool traced, std::size_t points) noexcept {
  constexpr std::size_t most_points = 300'000;  // of Stokes sums, which then take 5 ms on an H200
  char const* const wish = std::getenv("NEARFAR_CAPTURE");
  return !traced && points <= most_points && (wish == nullptr || std::string_view(wish) != "0");
}

std::shared_ptr<CapturedChains::Known> CapturedChains::find(Key key) {
  std::lock_guard const lock(mutex_);
  auto const found = std::ranges::find_if(known_, [&](auto const& k) { return k->key == key; });
  if (found != known_.end()) {
    std::rotate(found, found + 1, known_.end());
    return known_.back();
  }
  if (known_.size() == most) known_.erase(known_.begin());
  known_.push_back(std::make_shared<Known>(Known{std::move(key)}));
  return nullptr;
}

KeptTemporaries& CapturedChains::temporaries_for(SolveState const& solve, std::shared_ptr<void const> const& points,
                                                 Counts const& counts, std::size_t bytes) {
  std::erase_if(temporaries_, [&](auto const& of) { return of.first != counts && of.second.last.expired(); });
  OfPoints& mine = temporaries_[counts];
  mine.last = points;
  return mine.sets.next(solve, [bytes] {
    expect_memory(bytes);
    return KeptTemporaries();
  });
}

}  // namespace nearfar::detail
