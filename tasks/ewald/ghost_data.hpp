// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/ghost/ghost.hpp"
#include "tasks/engine/graph.hpp"

#include <deque>
#include <map>
#include <utility>

namespace nearfar::detail {

/// Data of slabs or blocks as each GPU reads them: of another GPU's, the few rows that it needs are sent there, and put
/// into an array that is undefined elsewhere. Lives as long as the graph is being built: who holds which data, messages
/// between ranks know by their handles.
class GhostData {
 public:
  /// Sends these rows of `whole`, of numbers A, which stage S of `owner` writes. pack -> put, of so many flops of S
  /// each
  template <class A, class S>
  void send(Graph& graph, int item, int gpu, GhostArgs const& rows, double flops, int owner, Handle whole) {
    Ranks const* const ranks = graph.solve().ranks();
    auto const here = [&](int other) {
      return ranks == nullptr || ranks->rank() == everywhere || ranks->rank() == other;
    };
    SolveData const& packed =
        packed_.emplace_back(SolveData::temporary<A>("ghost rows", rows.numbers(), owner, here(owner) || here(gpu)));
    auto& ghost = ghosts_[{item, gpu}] = SolveData::temporary<A>("ghosts", rows.whole(), gpu, here(gpu));
    Label const label{.block = item, .flops = flops, .rank = owner, .is_sent = true, .reader = gpu};
    graph.insert<PackRows<A, S>>(rows, label, read(whole), write(packed));
    graph.insert<PutRows<A, S>>(rows, {item, flops, gpu}, read(packed), write(ghost));
  }

  /// An item as a GPU reads it.
  Handle of(int item, int gpu, Handle whole) const {
    auto const ghost = ghosts_.find({item, gpu});
    return ghost != ghosts_.end() ? Handle(ghost->second) : whole;
  }

 private:
  std::deque<SolveData> packed_;
  std::map<std::pair<int, int>, SolveData> ghosts_;  ///< by item and GPU
};

}  // namespace nearfar::detail
