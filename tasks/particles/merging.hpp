// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/particles/merged_results.hpp"

#include <vector>

namespace nearfar::detail {

/// The merge of one range of targets: its label on the range's owner, and what it reads.
struct RangeMerge {
  std::size_t range;
  MergeArgs args;
  Label label;
  std::vector<Handle> parts, linear;
  Handle index, units;
};

/// What one taker gets of the merge of a range.
struct MergeShare {
  RangeMerge const& merge;
  Taker taker;
  std::size_t other;  ///< its place among the range's takers on other ranks or GPUs
};

/// The shares of all merges, and the order in which tasks of this process write a stretch of the results where they
/// write all of its rows in turn.
template <class T>
class MergeShares {
 public:
  MergeShares(MergedResults<T> const& results, std::vector<RangeMerge> const& merges)
      : results_(results), turns_(results.stretches().size()) {
    for (RangeMerge const& merge : merges)
      for (std::size_t other = 0; Taker const& taker : results.takers(merge.range))
        if (results.is_other(taker, merge.label.rank)) leaving_.push_back({merge, taker, other++});
        else own_.push_back({merge, taker, 0});
    for (MergeShare const& s : own_)
      if (results.is_mine(s.taker)) {
        if (turn_of(s).first == nullptr) turn_of(s).first = &s;
        turn_of(s).last = &s;
      }
    for (MergeShare const& s : leaving_)
      if (results.is_mine(s.taker)) turn_of(s).last = &s;
  }
  MergeShares(MergeShares const&) = delete;
  MergeShares& operator=(MergeShares const&) = delete;

  /// Whose taker is where the range is merged, and the others.
  std::vector<MergeShare> const& own() const noexcept { return own_; }
  std::vector<MergeShare> const& leaving() const noexcept { return leaving_; }

  /// Whether it is the first that writes its stretch.
  bool is_first(MergeShare const& s) const { return &s == turn_of(s).first; }
  MergeArgs args(MergeShare const& s) const {
    MergeArgs args = s.merge.args;
    args.given = results_.given(s.taker);
    return args;
  }
  /// Of the task that writes the taker's rows.
  Label label(MergeShare const& s) const {
    Label label = s.merge.label;
    label.rank = s.taker.rank;
    if (&s == turn_of(s).last && results_.stretch(s.taker).staged.any()) label.next = Next::host;
    return label;
  }
  int piece(MergeShare const& s) const { return results_.stretch(s.taker).staged.length(); }

 private:
  struct Turn {
    MergeShare const *first = nullptr, *last = nullptr;  // first of its own shares; last of all
  };
  Turn& turn_of(MergeShare const& s) { return turns_[std::size_t(s.taker.stretch)]; }
  Turn const& turn_of(MergeShare const& s) const { return turns_[std::size_t(s.taker.stretch)]; }

  MergedResults<T> const& results_;
  std::vector<MergeShare> own_, leaving_;
  std::vector<Turn> turns_;  ///< by stretch
};

/// merge: adds the parts of ranges of targets into the callers' rows, on the ranks that gave them, within a process on
/// the GPUs that bring them. Results that others wait for come first, those that this one waits for come last. Where
/// GPUs run all stages, the tasks for a stretch write the same rows in turn, which go to the host after the last of
/// them if they are to be copied there.
template <class T>
void insert_merges(Graph& graph, MergedResults<T> const& results, std::vector<RangeMerge> const& merges) {
  MergeShares<T> const shares(results, merges);
  for (MergeShare const& s : shares.leaving()) {
    RangeMerge const& m = s.merge;
    Label label = m.label;
    label.is_sent = true;
    label.reader = s.taker.rank;
    MergeArgs args = shares.args(s);
    args.vector.all = 1;
    graph.insert<MergeForOther<T>>(args, label, read(m.parts), read(m.linear), read(m.index),
                                   write(results.leaving(m.range, m.args.vector.number, s.other)), read(m.units),
                                   read(results.leaving_points(m.range, s.other, m.index)));
  }
  for (MergeShare const& s : shares.own()) {
    RangeMerge const& m = s.merge;
    MergeArgs args = shares.args(s);
    args.piece = shares.piece(s);
    auto const insert = [&]<class S>(S, auto const& to) {
      graph.insert<S>(args, shares.label(s), read(m.parts), read(m.linear), read(m.index), to, read(m.units));
    };
    if (!results.on_gpus()) insert(Merge<T>(), write(results.rows_of(m.range, m.args.vector.number, s.taker)));
    else if (shares.is_first(s)) insert(MergeAll<T>(), write(results.rows(m.range, s.taker)));
    else insert(MergeMore<T>(), read_write(results.rows(m.range, s.taker)));
  }
  for (MergeShare const& s : shares.leaving()) {
    RangeMerge const& m = s.merge;
    TakeResultsArgs const args{m.args.columns.callers(m.args.components), s.taker.count, shares.piece(s),
                               m.args.vector};
    Handle const from = results.leaving(m.range, m.args.vector.number, s.other),
                 places = results.taken_rows(m.range, s.other, m.index);
    if (results.on_gpus())
      graph.insert<TakeMoreResults<T>>(args, shares.label(s), read(from), read(places),
                                       read_write(results.rows(m.range, s.taker)));
    else
      graph.insert<TakeResults<T>>(args, shares.label(s), read(from), read(places),
                                   write(results.rows_of(m.range, m.args.vector.number, s.taker)));
  }
  for (auto const& stretch : results.stretches()) build_copying_back(graph, stretch->staged, stretch->array);
}

}  // namespace nearfar::detail
