// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/ghost/ghost.hpp"
#include "tasks/engine/graph.hpp"

#include <map>
#include <utility>

namespace nearfar::detail {

/// Data of slabs or blocks as each GPU reads them: of another GPU's, the few rows that it needs are sent there, and put
/// into an array that is undefined elsewhere. Lives until the last task that reads them is inserted.
class GhostData {
 public:
  /// Sends these rows of `whole`, of numbers A, which stage S of `owner` writes. pack -> put
  template <class A, class S>
  void send(Graph& graph, int item, int gpu, GhostArgs const& rows, int owner, Handle whole) {
    Ranks const* const ranks = graph.solve().ranks();
    auto const here = [&](int other) {
      return ranks == nullptr || ranks->rank() == everywhere || ranks->rank() == other;
    };
    double const numbers = double(rows.numbers());
    auto const packed = SolveData::temporary<A>("ghost rows", rows.numbers(), owner, here(owner) || here(gpu));
    auto& ghost = ghosts_[{item, gpu}] = SolveData::temporary<A>("ghosts", rows.whole(), gpu, here(gpu));
    graph.insert<PackRows<A, S>>(rows, {item, numbers, owner, true}, read(whole), write(packed));
    graph.insert<PutRows<A, S>>(rows, {item, numbers, gpu}, read(packed), write(ghost));
  }

  /// An item as a GPU reads it.
  Handle of(int item, int gpu, Handle whole) const {
    auto const ghost = ghosts_.find({item, gpu});
    return ghost != ghosts_.end() ? Handle(ghost->second) : whole;
  }

 private:
  std::map<std::pair<int, int>, SolveData> ghosts_;  ///< by item and GPU
};

}  // namespace nearfar::detail
