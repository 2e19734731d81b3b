// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/solve_state.hpp"

#include <deque>
#include <memory>

namespace nearfar::detail {

/// Lanes: the large temporary data of a solve, kept for the next one. A solve takes a lane that no solve in flight
/// uses, so that one after the other needs memory once; else a new one, so that one solve's stages overlap another's;
/// beyond two they take turns, and StarPU orders those that share one. Not thread-safe: one thread submits at a time.
template <class Lane>
class Turns {
 public:
  template <class Make>
  Lane& next(std::shared_ptr<SolveState const> const& solve, Make make) {
    for (Place& place : places_) {
      auto const user = place.user.lock();
      if (user && !user->ended()) continue;
      place.user = solve;
      return place.lane;
    }
    if (places_.size() < most) return places_.emplace_back(Place{make(), solve}).lane;
    Place& place = places_[turn_++ % most];
    place.user = solve;
    return place.lane;
  }

 private:
  static constexpr std::size_t most = 2;
  struct Place {
    Lane lane;
    std::weak_ptr<SolveState const> user;  ///< the last one
  };
  std::deque<Place> places_;
  std::size_t turn_ = 0;
};

}  // namespace nearfar::detail
