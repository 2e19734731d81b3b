// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/merge/for_other.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/engine/result_rows.hpp"
#include "tasks/particles/travelling_rows.hpp"
#include "tasks/points/planned_points.hpp"

#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// What the caller gets for a target: `numbers` from each of so many merges, one of all vectors of strengths or one of
/// each.
struct MergedRow {
  int numbers;
  int merges = 1;

  int size() const noexcept { return numbers * merges; }
};

/// The results of a solve on their way from the ranges of targets where they are
/// found, each on the rank that owns it, to the arrays of the ranks that gave the targets.
template <class T>
class MergedResults {
 public:
  /// `owners`: of the ranges, by number. The caller's `array` of such rows outlives the solve, as does `travelling`:
  /// pinned memory, or null, by way of which results of GPUs go to an array on the host.
  MergedResults(SolveState& solve, PlannedPoints<T> const& points, std::vector<int> owners, MergedRow const& row,
                std::span<T> array, Arena<T>* travelling)
      : points_(points), owners_(std::move(owners)),
        rank_(solve.ranks() != nullptr ? solve.ranks()->rank() : everywhere),
        travelling_(
            travelling == nullptr || memory_node_of(array.data(), "the result is") != STARPU_MAIN_RAM
                ? TravellingRows<T>()
                : TravellingRows<T>("taken results", array.size() / std::size_t(row.size()), row.size(), *travelling)),
        array_(solve, array,
               travelling_.any() ? std::size_t(travelling_.count()) : std::size_t(row.merges) * owners_.size(),
               runs_in_one_memory(on_gpus() && !travelling_.any() ? codelet_of<MergeAll<T>>() : codelet_of<Merge<T>>()),
               Home{memory_node_of(array.data(), "the result is")}) {
    for (std::size_t i = 0; i < std::size_t(row.merges) * owners_.size(); ++i) {
      std::size_t const range = i % owners_.size();
      auto& of_range = leaving_.emplace_back();
      int const owner = owners_[range];
      for (Taker const& taker : points.takers(range))
        if (is_other(taker, owner))
          of_range.push_back(SolveData::temporary<T>("results", std::int64_t(taker.count) * row.numbers, owner,
                                                     rank_ == everywhere || rank_ == owner || rank_ == taker.rank));
    }
  }

  PlannedPoints<T> const& points() const noexcept { return points_; }
  int rank() const noexcept { return rank_; }  ///< this one; everywhere in a process alone
  bool on_gpus() const noexcept { return points_.all_on_gpus(); }
  TravellingRows<T> const& travelling() const noexcept { return travelling_; }
  /// What a merge of a range writes to the caller's array. `vector`: that it is of, where each has its own merges.
  WriteRows rows_of(std::size_t range, int vector) const { return array_.of(number(range, vector)); }
  /// The results of a range that another rank takes, by its place among those takers; each is sent once.
  Handle leaving(std::size_t range, int vector, std::size_t other) const {
    return leaving_[number(range, vector)][other];
  }
  /// The rows of all targets that this rank gave, where GPUs run all stages.
  std::vector<Handle> rows(std::size_t range) const {
    return travelling_.any() ? travelling_.pieces() : std::vector<Handle>{array_.of(range).handle};
  }

  ResultRows const& array() const noexcept { return array_; }

  /// Whether results are sent to the taker.
  static bool is_other(Taker const& taker, int owner) { return taker.rank != owner && taker.rank != everywhere; }

 private:
  /// Of a merge among all.
  std::size_t number(std::size_t range, int vector) const { return std::size_t(vector) * owners_.size() + range; }

  PlannedPoints<T> const& points_;
  std::vector<int> owners_;
  int rank_;
  TravellingRows<T> travelling_;
  ResultRows array_;
  std::vector<std::vector<SolveData>> leaving_;
};

/// The merge of one range of targets: its label on the range's owner, and what it reads.
struct RangeMerge {
  std::size_t range;
  MergeArgs args;
  Label label;
  std::vector<Handle> parts, linear;
  Handle index, units;
};

/// merge: adds the parts of ranges of targets into the callers' rows, on the ranks that gave them. Results that other
/// ranks wait for come first, those that this one waits for come last. Where GPUs run all stages, the tasks of a rank
/// write the same rows in turn, which go to the host after the last of them if they are to be copied there.
template <class T>
void insert_merges(Graph& graph, MergedResults<T> const& results, std::vector<RangeMerge> const& merges) {
  struct Share {
    RangeMerge const& merge;
    Taker taker;
    std::size_t other;
  };
  PlannedPoints<T> const& points = results.points();
  std::vector<Share> own, leaving;
  for (RangeMerge const& merge : merges)
    for (std::size_t other = 0; Taker const& taker : points.takers(merge.range))
      if (results.is_other(taker, merge.label.rank)) leaving.push_back({merge, taker, other++});
      else own.push_back({merge, taker, 0});

  auto const args = [&](Share const& s) {
    MergeArgs a = s.merge.args;
    a.given = points.given_by(s.taker.rank);
    return a;
  };
  auto const is_mine = [&](Share const& s) { return s.taker.rank == results.rank(); };
  Share const *first = nullptr, *last = nullptr;
  for (Share const& s : own)
    if (is_mine(s)) {
      if (first == nullptr) first = &s;
      last = &s;
    }
  for (Share const& s : leaving)
    if (is_mine(s)) last = &s;
  auto const label = [&](Share const& s) {
    Label l = s.merge.label;
    l.rank = s.taker.rank;
    if (&s == last && results.travelling().any()) l.next = Next::host;
    return l;
  };

  for (Share const& s : leaving) {
    RangeMerge const& m = s.merge;
    Label l = m.label;
    l.is_sent = true;
    MergeArgs a = args(s);
    a.vector.all = 1;
    graph.insert<MergeForOther<T>>(a, l, read(m.parts), read(m.linear), read(m.index),
                                   write(results.leaving(m.range, m.args.vector.number, s.other)), read(m.units),
                                   read(points.leaving_points(m.range, s.other, m.index)));
  }
  for (Share const& s : own) {
    RangeMerge const& m = s.merge;
    MergeArgs a = args(s);
    a.piece = results.travelling().length();
    auto const insert = [&]<class S>(S, auto const& to) {
      graph.insert<S>(a, label(s), read(m.parts), read(m.linear), read(m.index), to, read(m.units));
    };
    if (!results.on_gpus()) insert(Merge<T>(), write(results.rows_of(m.range, m.args.vector.number)));
    else if (&s == first) insert(MergeAll<T>(), write(results.rows(m.range)));
    else insert(MergeMore<T>(), read_write(results.rows(m.range)));
  }
  for (Share const& s : leaving) {
    RangeMerge const& m = s.merge;
    int const vector = m.args.vector.number;
    TakeResultsArgs const a{m.args.columns.callers(m.args.components), s.taker.count, results.travelling().length(),
                            m.args.vector};
    Handle const from = results.leaving(m.range, vector, s.other), places = points.taken_rows(m.range, m.index);
    if (results.on_gpus())
      graph.insert<TakeMoreResults<T>>(a, label(s), read(from), read(places), read_write(results.rows(m.range)));
    else graph.insert<TakeResults<T>>(a, label(s), read(from), read(places), write(results.rows_of(m.range, vector)));
  }
  build_copying_back(graph, results.travelling(), results.array());
}

}  // namespace nearfar::detail
