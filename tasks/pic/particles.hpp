// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/arena.hpp"
#include "tasks/engine/data.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace nearfar::detail {

/// Particles in blocks, which stay in the caller's order: a block keeps its particles, wherever they go. What the
/// handles hold is told in codelets/pic/pic_grid.hpp.
template <class T>
class PicParticles {
 public:
  struct Block {
    std::int64_t first, count;
    Data phase, charge, sorted, order, field;
    Data clock;  ///< steps that have ended, by which solves find out whether one before has failed
    Data sums;
  };

  PicParticles(std::span<T const> positions, std::span<T const> velocities, std::span<T const> charges, int blocks,
               int planes);

  std::vector<Block> const& blocks() const noexcept { return blocks_; }
  std::size_t count() const noexcept { return charges_.size(); }
  std::vector<Handle> all(Data Block::*data) const;

  /// Bytes of so many.
  static std::size_t bytes(std::size_t particles, int blocks, int planes);

 private:
  Arena<T> phases_, charges_;  // before the handles, which go first
  Arena<std::int64_t> clocks_;
  std::vector<Block> blocks_;
};

}  // namespace nearfar::detail
