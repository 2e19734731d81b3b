// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/merge/for_other.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/engine/result_rows.hpp"
#include "tasks/points/planned_points.hpp"
#include "tasks/points/travelling_rows.hpp"

#include <vector>

namespace nearfar::detail {

/// Results of targets that other ranks gave than find them, by range of targets,
/// in the order of PlannedPoints::takers without the owner: each is sent once.
template <class T>
class ResultsForOthers {
 public:
  /// `owners`: of the ranges, by number; `components` numbers for each target; `rank`: this one, or everywhere.
  template <class OwnerOf>
  ResultsForOthers(PlannedPoints<T> const& points, std::size_t ranges, OwnerOf const& owner, int components, int rank) {
    for (std::size_t i = 0; i < ranges; ++i) {
      auto& of_range = data_.emplace_back();
      for (Taker const& taker : points.takers(i))
        if (taker.rank != owner(i) && taker.rank != everywhere)
          of_range.push_back(SolveData::temporary<T>("results", std::int64_t(taker.count) * components, owner(i),
                                                     rank == everywhere || rank == owner(i) || rank == taker.rank));
    }
  }

  Handle of(std::size_t range, std::size_t other) const { return data_[range][other]; }

 private:
  std::vector<std::vector<SolveData>> data_;
};

/// What a merge reads apart from its parts.
struct MergeReads {
  std::vector<Handle> parts, linear;
  Handle index, units;
};

/// Inserts merge: the parts of a range of targets to the callers' rows
/// on the ranks that gave them. `label` is that of the range's owner.
template <class T>
void insert_merges(Graph& graph, MergeArgs args, Label label, PlannedPoints<T> const& points, std::size_t range,
                   MergeReads const& from, WriteRows result, ResultsForOthers<T> const& others) {
  int const owner = label.rank;
  std::size_t other = 0;
  for (Taker const& taker : points.takers(range)) {
    args.given = points.given_by(taker.rank);
    if (taker.rank == owner || taker.rank == everywhere) {
      label.rank = taker.rank;
      graph.insert<Merge<T>>(args, label, read(from.parts), read(from.linear), read(from.index), write(result),
                             read(from.units));
      continue;
    }
    Handle const results = others.of(range, other++);
    label.rank = owner;
    label.leaves = true;
    graph.insert<MergeForOther<T>>(args, label, read(from.parts), read(from.linear), read(from.index), write(results),
                                   read(from.units));
    label.rank = taker.rank;
    label.leaves = false;
    graph.insert<TakeResults<T>>({args.components, taker.count}, label, read(results),
                                 read(points.taken_rows(range, from.index)), write(result));
  }
}

/// Inserts merge in a process whose GPUs have all chunks: to rows of all targets, which after
/// the last chunk go to the host if they are to be copied there, else to the caller's array.
template <class T>
void insert_merge_of_all(Graph& graph, MergeArgs args, Label label, MergeReads const& from,
                         TravellingRows<T> const& copied, ResultRows const& result, bool first, bool last) {
  args.piece = copied.length();
  if (last && copied.any()) label.next = Next::host;
  auto const rows = copied.any() ? copied.pieces() : std::vector<Handle>{result.of(0).handle};
  auto const insert = [&]<class S>(S, auto const& to) {
    graph.insert<S>(args, label, read(from.parts), read(from.linear), read(from.index), to, read(from.units));
  };
  // In the order of the chunks, which is that of the GPUs, so that the rows move between GPUs as seldom as possible.
  if (first) insert(MergeAll<T>(), write(rows));
  else insert(MergeMore<T>(), read_write(rows));
}

}  // namespace nearfar::detail
