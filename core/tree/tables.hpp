// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/function.hpp"

#include <cstdint>

namespace nearfar {

/// The lists of a tree as tasks read them: 32-bit words, one table for each block of boxes and stage. A block's boxes
/// are its slots; other blocks are known by their place among the buffers of the task.

/// One box of a leaf block: its place on its level, and its points among those of the block.
struct Leaf {
  std::int32_t at[3];
  std::int32_t first, last;
};

/// The links number first .. first + count have one operator: a displacement (M2L) or an octant (M2M, L2L).
struct Run {
  std::int32_t key, first, count;
};
/// From slot `slot` of buffer `buffer` to slot `target` of the block that is written.
struct Link {
  std::int32_t target, buffer, slot;
};

/// Words: runs, links, 0, 0; then the runs; then the links.
class RunTable {
 public:
  NEARFAR_FUNCTION explicit RunTable(std::int32_t const* words) : words_(words) {}

  static constexpr int head = 4;
  NEARFAR_FUNCTION int runs() const { return words_[0]; }
  NEARFAR_FUNCTION int links() const { return words_[1]; }
  NEARFAR_FUNCTION Run const& run(int i) const { return reinterpret_cast<Run const*>(words_ + head)[i]; }
  NEARFAR_FUNCTION Link const& link(int i) const {
    return reinterpret_cast<Link const*>(words_ + head + 3 * runs())[i];
  }

 private:
  std::int32_t const* words_;
};

/// The items first .. first + count belong to one target.
struct Range {
  std::int32_t first, count;
};
/// Points first .. last of source block `buffer`, in the image `image` (in edges of the cell).
struct PointRun {
  std::int32_t buffer, first, last, image[3];
};
/// A box far away: its slot in buffer `buffer`, and its place on its level, which may lie in another image.
struct FarBox {
  std::int32_t buffer, slot, level, at[3];
};

/// Words: targets, items, 0, 0; then a Range for each target; then the items (PointRun or FarBox).
template <class Item>
class PairTable {
 public:
  NEARFAR_FUNCTION explicit PairTable(std::int32_t const* words) : words_(words) {}

  static constexpr int head = 4;
  NEARFAR_FUNCTION int targets() const { return words_[0]; }
  NEARFAR_FUNCTION int items() const { return words_[1]; }
  NEARFAR_FUNCTION Range const& range(int target) const {
    return reinterpret_cast<Range const*>(words_ + head)[target];
  }
  NEARFAR_FUNCTION Item const& item(int i) const {
    return reinterpret_cast<Item const*>(words_ + head + 2 * targets())[i];
  }

 private:
  static_assert(sizeof(Item) == 6 * sizeof(std::int32_t));
  std::int32_t const* words_;
};

}  // namespace nearfar
