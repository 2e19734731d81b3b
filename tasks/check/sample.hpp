// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/kernels/description/description.hpp"
#include "tasks/engine/arena.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/engine/given_arrays.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace nearfar::detail {

/// `wanted` of `count` targets, without a pattern, but always the same ones; all if there are not more.
std::vector<std::uint32_t> sample_of(std::size_t count, std::size_t wanted);

/// Numbers of targets in ascending order, and for how many targets each stands, in units of the mean; none: all alike.
struct Sample {
  std::vector<std::uint32_t> targets;
  std::vector<double> weights{};

  double weight(std::size_t number) const noexcept { return weights.empty() ? 1 : weights[number]; }
};

/// `wanted` of the `candidates`, which are some of all targets, as random ones: half of them those with the largest
/// `rank`, so that none of these is missed; the other half stands for the rest.
Sample ranked_sample(std::vector<std::uint32_t> const& candidates, std::span<double const> rank, std::size_t wanted);

/// Targets whose sums are also computed pair by pair, and the blocks of sources for that, in
/// groups of about equal work, one task each. Constant, so shared by all solves with the points.
template <class T>
class CheckSample {
 public:
  /// A set of sources: how many, and the rank that sorts them, with several ranks.
  struct Block {
    int sources = 0;
    int owner = everywhere;
  };

  /// `near`: rows of these targets, in the coordinates of the sources, which are in these blocks. `relative`:
  /// the same, relative to the centre of a cell, or none. `seconds`: what a check takes one CPU worker.
  CheckSample(Sample targets, std::span<T const> near, std::span<T const> relative, std::vector<Block> const& blocks,
              double seconds);

  /// Blocks with the same owner.
  struct Group {
    std::vector<int> blocks;
    std::vector<std::int32_t> counts;
    double points = 0;
    int owner = everywhere;
  };

  std::vector<std::uint32_t> const& targets() const noexcept { return sample_.targets; }
  Sample const& sample() const noexcept { return sample_; }
  double seconds() const noexcept { return seconds_; }
  /// Coordinate d of a sampled target, as the sources have them.
  double at(std::size_t number, std::size_t d) const noexcept {
    return positions_.data()[d * std::size_t(stride()) + number];
  }
  std::int64_t stride() const noexcept { return std::int64_t(positions_.size()) / 3; }
  std::vector<Group> const& groups() const noexcept { return groups_; }
  Handle position() const noexcept { return position_; }
  Handle counts(std::size_t group) const noexcept { return count_[group]; }
  /// The sample as the points of the only leaf of a cell.
  Handle relative() const noexcept { return relative_; }
  Handle leaf() const noexcept { return leaf_; }

 private:
  Sample sample_;
  double seconds_;
  std::vector<Group> groups_;
  Arena<double> positions_;
  Arena<T> relatives_;
  std::array<std::int32_t, 5> leaf_table_{};
  Data position_, relative_, leaf_;  // after the memory they refer to, so that they are destroyed first
  std::vector<Data> count_;
};

/// Sums from which the relative l2 error of `result` follows, over its rows, which begin with row
/// `first` of all, and the sampled ones among them. For each vector, and each field of its
/// results: squared errors of the sample, their squares, and squares of all rows, or of a subset
/// if there are very many. `exact` has each component of each vector for the sample, as computed, with stride
/// `stride`. With several ranks, each with rows of its own, the sums add up to those over all.
/// Errors up to the part `rounding` of a row do not count: those of pairs in single precision are about in proportion
/// to the field, and those few targets that have a source very close would stand for all. `of_all`: RowSums of all rows
/// (codelets/near/check/check_rows.hpp), if a task has found them.
template <class T>
std::vector<long double> sampled_sums(Sample const& sample, std::int64_t stride, std::span<double const> exact,
                                      GivenArrays<T const> const& result, std::size_t first, int vectors,
                                      AskedResults const& asked, double rounding = 0,
                                      std::span<double const> of_all = {});

/// The error that such sums over this many rows and samples imply: the worst over all vectors and parts with separate
/// units. The mean square over the sample plus three of its standard deviations stands for that over all targets.
/// `least`: for each field of a vector, what is no more than so much of the first field is rounding. Errors of a field
/// that is itself no more count as none: a gradient that is exactly zero has no relative error.
double sampled_error(std::span<long double const> sums, std::size_t sampled, std::size_t rows,
                     std::span<double const> least = {});

}  // namespace nearfar::detail
