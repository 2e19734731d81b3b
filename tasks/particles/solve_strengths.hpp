// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/points/copy/copy.hpp"
#include "codelets/points/deal/deal.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/graph.hpp"
#include "tasks/particles/given_strengths.hpp"
#include "tasks/particles/staged_rows.hpp"
#include "tasks/particles/strength_units.hpp"
#include "tasks/points/planned_points.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace nearfar::detail {

/// One stretch of the caller's strengths.
template <class T>
struct StrengthStretch {
  Stretch at;
  SolveData rows;      ///< the caller's
  StagedRows<T> sent;  ///< the same in pinned memory, on their way to a GPU

  std::vector<Handle> handles() const { return sent.any() ? sent.pieces() : std::vector<Handle>{rows}; }
};

/// The strengths of a solve on their way from the caller's arrays to the tasks that sort them. Where several GPUs share
/// the solve, or one gets several arrays, each stretch is packed into a message for each GPU, where it is.
template <class T>
class SolveStrengths {
 public:
  /// `staging`: pinned memory, by way of which strengths on the host go to GPUs, or null.
  SolveStrengths(PlannedPoints<T> const& points, GivenStrengths<T>& given, Arena<T>* staging) : row_(int(given.row)) {
    auto const row = std::size_t(row_);
    bool const mine = given.are_callers();
    std::vector<Stretch> const stretches = cut_for_gpus(given.rows, row, mine ? points.gpus() : 1, "strengths are");
    bool const on_host = std::ranges::any_of(stretches, [](Stretch const& s) { return s.node == STARPU_MAIN_RAM; });
    if (staging != nullptr && mine && on_host && staging->size() < given.rows.size())
      *staging = Arena<T>(given.rows.size());
    auto array = given.rows.all().begin();
    std::size_t begin = 0;  // row of the array
    for (Stretch const& at : stretches) {
      while (at.rows() > 0 && at.first >= begin + array->size() / row) begin += array++->size() / row;
      T const* const rows = array->data() + (at.first - begin) * row;
      StagedRows<T> sent;
      if (staging != nullptr && mine && at.node == STARPU_MAIN_RAM)
        sent = StagedRows<T>("sent strengths", at.rows(), row_,
                             StagedRows<T>::length_of_piece(given.rows.size() / row, row_),
                             staging->data() + at.first * row);
      stretches_.push_back(
          {at, SolveData::constant("strengths", rows, std::int64_t(at.rows() * row), Home{at.node}), std::move(sent)});
    }
    if (!mine) stretches_.front().sent = std::move(given.pieces);
    if (!mine || !points.all_on_gpus() || (stretches.size() == 1 && points.gpus() == 1)) return;
    routes_ = &points.source_routes(stretches);
    for (auto const& packed : routes_->packed())
      messages_.push_back(SolveData::temporary<T>("dealt strengths", packed.rows * row_, packed.gpu));
  }

  /// What Bin reads on a GPU (everywhere: on any worker): the caller's rows, their pieces, or packed rows.
  std::vector<Handle> handles(int owner) const {
    std::vector<Handle> handles;
    if (routes_ == nullptr)
      for (auto const& stretch : stretches_)
        for (Handle const handle : stretch.handles()) handles.push_back(handle);
    for (std::size_t m = 0; m < messages_.size(); ++m)
      if (routes_->packed()[m].gpu == owner) handles.push_back(messages_[m]);
    return handles;
  }
  /// All rows, if they are one array that goes in one piece; else null.
  Handle in_one_piece() const {
    auto const& first = stretches_.front();
    return stretches_.size() == 1 && !first.sent.any() ? Handle(first.rows) : nullptr;
  }
  /// How these make up rows.
  RowCut cut(int owner) const {
    if (routes_ != nullptr) return routes_->cut(owner);
    if (stretches_.size() == 1) return stretches_.front().sent.length();
    RowCut cut(RowCut::uneven);
    for (std::size_t s = 0; s < stretches_.size(); ++s) cut.first[s] = std::uint32_t(stretches_[s].at.first);
    return cut;
  }
  /// The rows of a block's points among these.
  Handle rows(PlannedPoints<T> const& points, int block) const {
    return routes_ != nullptr ? routes_->rows(block) : points.strength_rows(block);
  }

  /// Ranges of which tasks find the largest strengths.
  std::vector<StrengthUnits::Range> ranges(bool on_gpus) const {
    constexpr std::int64_t numbers_of_a_task = 1 << 17;
    std::vector<StrengthUnits::Range> ranges;
    for (std::size_t s = 0; s < stretches_.size(); ++s) {
      auto const& stretch = stretches_[s];
      auto const rows = std::int64_t(stretch.at.rows()), most = max_strength_ranges / std::int64_t(stretches_.size());
      std::int64_t const tasks = on_gpus ? 1 : std::clamp<std::int64_t>(rows * row_ / numbers_of_a_task, 1, most);
      for (int p = 0; p < stretch.sent.count(); ++p)
        ranges.push_back({s, stretch.sent.first(p), stretch.sent.first(p + 1)});
      for (std::int64_t i = 0; i < tasks && !stretch.sent.any(); ++i)
        ranges.push_back({s, rows * i / tasks, rows * (i + 1) / tasks});
    }
    return ranges;
  }

  /// largest, or copy_strengths
  void build_largest(Graph& graph, StrengthUnits const& units) const {
    for (std::size_t i = 0, piece = 0; i < units.ranges.size() && !units.known; ++i) {
      auto const& [s, begin, end] = units.ranges[i];
      auto const& stretch = stretches_[s];
      piece = i > 0 && units.ranges[i - 1].stretch == s ? piece + 1 : 0;
      Label const label{.block = int(i),
                        .flops = double(end - begin) * row_,
                        .rank = stretch.at.gpu,
                        .next = stretch.sent.any() ? Next::gpus : Next::anyone};
      if (stretch.sent.any())
        graph.insert<CopyStrengths<T>>({units.shape.strengths, units.vectors, begin, end}, label, read(stretch.rows),
                                       write(stretch.sent.pieces()[piece]), write(units.largest[i]));
      else
        graph.insert<Largest<T>>({units.shape.strengths, units.vectors, begin, end}, label, read(stretch.rows),
                                 write(units.largest[i]));
    }
  }

  /// Inserts what packs them, each where its stretch is.
  void build_dealing(Graph& graph, int vectors) const {
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      auto const& packed = routes_->packed()[m];
      auto const& stretch = stretches_[packed.stretch];
      Label const label{
          .block = int(m), .flops = double(packed.rows * row_), .rank = stretch.at.gpu, .reader = packed.gpu};
      graph.insert<DealStrengths<T>>({row_, vectors, std::int64_t(stretch.at.first), stretch.sent.length()}, label,
                                     read(stretch.handles()), read(packed.chosen), write(messages_[m]));
    }
  }

 private:
  int row_;  ///< numbers
  std::vector<StrengthStretch<T>> stretches_;
  SourceRoutes const* routes_ = nullptr;  ///< of the points; null: tasks read the stretches
  std::vector<SolveData> messages_;       ///< as these say
};

}  // namespace nearfar::detail
