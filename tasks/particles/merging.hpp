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

/// merge: adds the parts of ranges of targets into the callers' rows, on the ranks that gave them, within a process on
/// the GPUs that bring them. Results that others wait for come first, those that this one waits for come last. Where
/// GPUs run all stages, the tasks for a stretch write the same rows in turn, which go to the host after the last of
/// them if they are to be copied there.
template <class T>
void insert_merges(Graph& graph, MergedResults<T> const& results, std::vector<RangeMerge> const& merges) {
  struct Share {
    RangeMerge const& merge;
    Taker taker;
    std::size_t other;
  };
  std::vector<Share> own, leaving;
  for (RangeMerge const& merge : merges)
    for (std::size_t other = 0; Taker const& taker : results.takers(merge.range))
      if (results.is_other(taker, merge.label.rank)) leaving.push_back({merge, taker, other++});
      else own.push_back({merge, taker, 0});

  auto const args = [&](Share const& s) {
    MergeArgs a = s.merge.args;
    a.given = results.given(s.taker);
    return a;
  };
  struct Turn {
    Share const *first = nullptr, *last = nullptr;  // first of those that write sums; last of all
  };
  std::vector<Turn> turns(results.stretches().size());
  auto const turn_of = [&](Share const& s) -> Turn& { return turns[std::size_t(s.taker.stretch)]; };
  for (Share const& s : own)
    if (results.is_mine(s.taker)) {
      if (turn_of(s).first == nullptr) turn_of(s).first = &s;
      turn_of(s).last = &s;
    }
  for (Share const& s : leaving)
    if (results.is_mine(s.taker)) turn_of(s).last = &s;
  auto const label = [&](Share const& s) {
    Label l = s.merge.label;
    l.rank = s.taker.rank;
    if (&s == turn_of(s).last && results.stretch(s.taker).staged.any()) l.next = Next::host;
    return l;
  };
  auto const piece = [&](Share const& s) { return results.stretch(s.taker).staged.length(); };

  for (Share const& s : leaving) {
    RangeMerge const& m = s.merge;
    Label l = m.label;
    l.is_sent = true;
    MergeArgs a = args(s);
    a.vector.all = 1;
    graph.insert<MergeForOther<T>>(a, l, read(m.parts), read(m.linear), read(m.index),
                                   write(results.leaving(m.range, m.args.vector.number, s.other)), read(m.units),
                                   read(results.leaving_points(m.range, s.other, m.index)));
  }
  for (Share const& s : own) {
    RangeMerge const& m = s.merge;
    MergeArgs a = args(s);
    a.piece = piece(s);
    auto const insert = [&]<class S>(S, auto const& to) {
      graph.insert<S>(a, label(s), read(m.parts), read(m.linear), read(m.index), to, read(m.units));
    };
    if (!results.on_gpus()) insert(Merge<T>(), write(results.rows_of(m.range, m.args.vector.number, s.taker)));
    else if (&s == turn_of(s).first) insert(MergeAll<T>(), write(results.rows(m.range, s.taker)));
    else insert(MergeMore<T>(), read_write(results.rows(m.range, s.taker)));
  }
  for (Share const& s : leaving) {
    RangeMerge const& m = s.merge;
    int const vector = m.args.vector.number;
    TakeResultsArgs const a{m.args.columns.callers(m.args.components), s.taker.count, piece(s), m.args.vector};
    Handle const from = results.leaving(m.range, vector, s.other),
                 places = results.taken_rows(m.range, s.other, m.index);
    if (results.on_gpus())
      graph.insert<TakeMoreResults<T>>(a, label(s), read(from), read(places),
                                       read_write(results.rows(m.range, s.taker)));
    else
      graph.insert<TakeResults<T>>(a, label(s), read(from), read(places),
                                   write(results.rows_of(m.range, vector, s.taker)));
  }
  for (auto const& stretch : results.stretches()) build_copying_back(graph, stretch->staged, stretch->array);
}

}  // namespace nearfar::detail
