// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/merge/for_other.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/engine/result_rows.hpp"
#include "tasks/particles/staged_rows.hpp"
#include "tasks/points/planned_points.hpp"

#include <algorithm>
#include <memory>
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

/// Where one stretch of the results goes: the caller's rows, by way of pinned memory or not.
template <class T>
struct ResultStretch {
  Stretch at;
  StagedRows<T> staged;
  ResultRows array;
};

/// The results of a solve on their way from the ranges of targets where they are found, each on the rank or GPU that
/// owns it, to the arrays of the ranks that gave the targets: to each stretch of these from the GPU next to it.
template <class T>
class MergedResults {
 public:
  /// `owners`: of the ranges, by number. The caller's `arrays` of such rows outlive the solve, as does `staging`:
  /// pinned memory, or null, by way of which results of GPUs go to arrays on the host.
  MergedResults(SolveState& solve, PlannedPoints<T> const& points, std::vector<int> owners, MergedRow const& row,
                GivenArrays<T> const& arrays, Arena<T>* staging)
      : points_(points), owners_(std::move(owners)),
        rank_(solve.ranks() != nullptr ? solve.ranks()->rank() : everywhere) {
    auto const numbers = std::size_t(row.size()), all = arrays.size() / numbers;
    std::vector<Stretch> const stretches =
        cut_for_gpus(arrays, numbers, rank_ == everywhere ? points.gpus() : 1, "the result is");
    if (stretches.size() > 1 || (rank_ == everywhere && points.gpus() > 1)) routes_ = &points.target_routes(stretches);
    bool const on_host = std::ranges::any_of(stretches, [](Stretch const& s) { return s.node == STARPU_MAIN_RAM; });
    if (staging != nullptr && on_host && staging->size() < arrays.size()) *staging = Arena<T>(arrays.size());
    for (Stretch const& at : stretches) {
      auto const rows = rows_of(arrays, at, numbers);
      StagedRows<T> pinned;
      if (staging != nullptr && at.node == STARPU_MAIN_RAM)
        pinned = StagedRows<T>("taken results", at.rows(), row.size(), StagedRows<T>::length_of_piece(all, row.size()),
                               staging->data() + at.first * numbers);
      bool const is_staged = pinned.any();
      std::size_t const tasks = is_staged ? std::size_t(pinned.count()) : std::size_t(row.merges) * owners_.size();
      stretches_.push_back(std::unique_ptr<ResultStretch<T>>(new ResultStretch<T>{
          at, std::move(pinned),
          // GPUs write all rows of a stretch in turn, through one handle, also where CPUs stand for them.
          ResultRows(solve, rows, tasks, (!on_gpus() || is_staged) && runs_in_one_memory(codelet_of<Merge<T>>()),
                     Home{at.node})}));
    }
    for (std::size_t i = 0; i < std::size_t(row.merges) * owners_.size(); ++i) {
      std::size_t const range = i % owners_.size();
      auto& of_range = leaving_.emplace_back();
      int const owner = owners_[range];
      for (Taker const& taker : takers(range))
        if (is_other(taker, owner))
          of_range.push_back(SolveData::temporary<T>("results", std::int64_t(taker.count) * row.numbers, owner,
                                                     rank_ == everywhere || rank_ == owner || rank_ == taker.rank));
    }
  }

  /// All rows where GPUs run all stages, if they are one array that goes in one piece; else null.
  Handle in_one_piece() const {
    auto const& first = *stretches_.front();
    bool const one = on_gpus() && stretches_.size() == 1 && !first.staged.any();
    return one ? first.array.of(0).handle : nullptr;
  }
  bool on_gpus() const noexcept { return points_.all_on_gpus(); }
  std::vector<std::unique_ptr<ResultStretch<T>>> const& stretches() const noexcept { return stretches_; }
  ResultStretch<T> const& stretch(Taker const& taker) const { return *stretches_[std::size_t(taker.stretch)]; }
  std::vector<Taker> const& takers(std::size_t range) const {
    return routes_ != nullptr ? routes_->takers(range) : points_.takers(range);
  }
  /// Whether results are sent to the taker.
  bool is_other(Taker const& taker, int owner) const {
    if (taker.rank == owner || taker.rank == everywhere) return false;
    return routes_ == nullptr || on_gpus();
  }
  /// Whether this process writes what the taker gets to the caller's rows.
  bool is_mine(Taker const& taker) const { return rank_ == everywhere || taker.rank == rank_; }
  /// Which rows a taker gets.
  GivenRows given(Taker const& taker) const {
    if (routes_ == nullptr) return points_.given_by(taker.rank);
    Stretch const& at = stretch(taker).at;
    return {std::uint32_t(at.first), std::uint32_t(at.last)};
  }

  /// What a merge of a range writes to the caller's arrays. `vector`: that it is of, where each has its own merges.
  WriteRows rows_of(std::size_t range, int vector, Taker const& taker) const {
    return stretch(taker).array.of(number(range, vector));
  }
  /// The same where GPUs run all stages: all rows of the stretch.
  std::vector<Handle> rows(std::size_t range, Taker const& taker) const {
    auto const& to = stretch(taker);
    return to.staged.any() ? to.staged.pieces() : std::vector<Handle>{to.array.of(range).handle};
  }
  /// The results of a range that another rank or GPU takes, by its place among those takers; each is sent once.
  Handle leaving(std::size_t range, int vector, std::size_t other) const {
    return leaving_[number(range, vector)][other];
  }
  /// Which points of the range these are, and the rows where they go; `index` if nobody has given the points.
  Handle leaving_points(std::size_t range, std::size_t other, Handle index) const {
    return routes_ != nullptr ? routes_->points(range, other) : points_.leaving_points(range, other, index);
  }
  Handle taken_rows(std::size_t range, std::size_t other, Handle index) const {
    return routes_ != nullptr ? routes_->rows(range, other) : points_.taken_rows(range, index);
  }

 private:
  /// The caller's memory of a stretch.
  static std::span<T> rows_of(GivenArrays<T> const& arrays, Stretch const& at, std::size_t numbers) {
    std::size_t first = 0;
    for (std::span<T> const array : arrays.all()) {
      std::size_t const rows = array.size() / numbers;
      if (at.first >= first && at.last <= first + rows && (at.rows() > 0 || rows == 0))
        return array.subspan((at.first - first) * numbers, at.rows() * numbers);
      first += rows;
    }
    return {};
  }
  /// Of a merge among all.
  std::size_t number(std::size_t range, int vector) const { return std::size_t(vector) * owners_.size() + range; }

  PlannedPoints<T> const& points_;
  std::vector<int> owners_;
  int rank_;
  TargetRoutes const* routes_ = nullptr;  ///< of the points; null: each taker is a rank, with one array
  std::vector<std::unique_ptr<ResultStretch<T>>> stretches_;
  std::vector<std::vector<SolveData>> leaving_;
};

}  // namespace nearfar::detail
