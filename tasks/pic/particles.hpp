// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/arena.hpp"
#include "tasks/engine/data.hpp"
#include "tasks/nodes/deal.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nearfar::detail {

/// Particles in blocks, in the caller's order: a block keeps its particles wherever they move,
/// and a rank its blocks. The contents of the handles are described in codelets/pic/pic_grid.hpp;
/// of other ranks' blocks there are only those that are sent between ranks.
template <class T>
class PicParticles {
 public:
  struct Block {
    std::int64_t first = 0, count = 0;  ///< of all particles
    int owner = everywhere;             ///< rank; of one rank, everywhere
    Data phase{}, sums{};               ///< which other ranks may read
    Data charge{}, sorted{}, order{}, field{};
    Data clock{};  ///< number of steps that have ended, from which solves learn whether an earlier one has failed
  };

  /// `shares`: which particles each rank has, of which this rank's are given; `blocks`: the most of a rank.
  PicParticles(Ranks const& ranks, Parts const& shares, std::span<T const> positions, std::span<T const> velocities,
               std::span<T const> charges, int blocks, int planes);

  std::vector<Block> const& blocks() const noexcept { return blocks_; }
  /// The blocks of all ranks.
  std::size_t count() const noexcept { return count_; }
  /// Handles of the blocks with this owner, or of all blocks.
  std::vector<Handle> of(int owner, Data Block::*data) const;
  std::vector<Handle> all(Data Block::*data) const;

  /// Bytes for so many particles.
  static std::size_t bytes(std::size_t particles, int blocks, int planes);

 private:
  std::size_t count_;
  Arena<T> phases_, charges_;  // before the handles, which are destroyed first
  Arena<std::int64_t> clocks_;
  std::vector<Block> blocks_;
};

}  // namespace nearfar::detail
