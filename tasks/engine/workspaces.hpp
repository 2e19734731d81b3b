// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/solve/solve_state.hpp"

#include <deque>
#include <memory>

namespace nearfar::detail {

/// Work spaces: the large temporary data of a solve, kept for the next one. A solve takes one that no solve in
/// flight uses, so that consecutive solves need memory once; else a new one, so that stages of different solves
/// overlap. Beyond two, solves share them in turn, in StarPU's order. Not thread-safe: one thread submits at a time.
template <class Workspace>
class Workspaces {
 public:
  template <class Make>
  Workspace& next(SolveState const& solve, Make make) {
    for (Place& place : places_) {
      auto const user = place.user.lock();
      if (user && !user->released()) continue;
      place.user = solve.weak_from_this();
      return place.workspace;
    }
    if (places_.size() < most) return places_.emplace_back(Place{make(), solve.weak_from_this()}).workspace;
    Place& place = places_[turn_++ % most];
    place.user = solve.weak_from_this();
    return place.workspace;
  }

 private:
  static constexpr std::size_t most = 2;
  struct Place {
    Workspace workspace;
    std::weak_ptr<SolveState const> user;  ///< the last one
  };
  std::deque<Place> places_;
  std::size_t turn_ = 0;
};

}  // namespace nearfar::detail
