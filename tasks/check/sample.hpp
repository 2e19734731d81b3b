// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/arena.hpp"
#include "tasks/engine/data.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nearfar::detail {

/// `wanted` of `count` targets, without a pattern, always the same ones; all if there are no more.
std::vector<std::uint32_t> sample_of(std::size_t count, std::size_t wanted);

/// Targets whose sums are also taken pair by pair, and who those pairs are with: blocks of sources, in groups of about
/// as much work, a task each. Constant, so shared by all solves with the points.
template <class T>
class CheckSample {
 public:
  /// Some sources: how many, and the rank that sorts them, if several do.
  struct Block {
    int sources = 0;
    int owner = everywhere;
  };

  /// `near`: rows of these targets, counted as those of the sources are, which come in these blocks. `relative`: the
  /// same to the centre of a cell, or none. `seconds` of one CPU worker: what a check takes.
  CheckSample(std::vector<std::uint32_t> targets, std::span<T const> near, std::span<T const> relative,
              std::vector<Block> const& blocks, double seconds);

  /// Blocks of one owner.
  struct Group {
    std::vector<int> blocks;
    std::vector<std::int32_t> counts;
    double points = 0;
    int owner = everywhere;
  };

  std::vector<std::uint32_t> const& targets() const noexcept { return targets_; }
  double seconds() const noexcept { return seconds_; }
  std::int64_t stride() const noexcept { return std::int64_t(positions_.size()) / 3; }
  std::vector<Group> const& groups() const noexcept { return groups_; }
  Handle position() const noexcept { return position_; }
  Handle counts(std::size_t group) const noexcept { return count_[group]; }
  /// The sample as points of the one leaf of a cell.
  Handle relative() const noexcept { return relative_; }
  Handle leaf() const noexcept { return leaf_; }

 private:
  std::vector<std::uint32_t> targets_;
  double seconds_;
  std::vector<Group> groups_;
  Arena<double> positions_;
  Arena<T> relatives_;
  std::array<std::int32_t, 5> leaf_table_{};
  Data position_, relative_, leaf_;  // after what they are over, so that they go first
  std::vector<Data> count_;
};

/// What tells the relative l2 error of `result`: sums over these rows of each target, which are those from number
/// `first` on of all, and the part of the sample that is among them. For each vector, and what of it has a unit of its
/// own, squares of the errors of the sample, their squares, and squares of all rows, or what very many stand for.
/// `exact` has each component of each vector for the sample, `stride` apart. Of several ranks, with rows of their own
/// each, the sums add up to those of all.
template <class T>
std::vector<long double> sampled_sums(std::vector<std::uint32_t> const& targets, std::int64_t stride,
                                      std::span<double const> exact, std::span<T const> result, std::size_t first,
                                      int vectors, int results);

/// The error that such sums over so many rows, with a sample of so many, tell: the worst of all vectors and of what has
/// a unit of its own. The mean square over the sample and two deviations of it stand for that of all.
double sampled_error(std::span<long double const> sums, std::size_t sampled, std::size_t rows);

}  // namespace nearfar::detail
