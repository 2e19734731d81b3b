// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <starpu.h>

#include <type_traits>
#include <vector>

namespace nearfar {

/// A StarPU data handle as graph builders pass it around; not owned.
using Handle = starpu_data_handle_t;

/// One access of a stage: its mode, and one handle or any number of them. The list of these types in a stage is
/// the single definition of its modes; the compiler checks a builder's calls (`read(x)`, `write(y)`) against it.
template <starpu_data_access_mode Mode>
struct One {
  static constexpr auto mode = Mode;
  Handle handle;
};
template <starpu_data_access_mode Mode>
struct Many {
  static constexpr auto mode = Mode;
  std::vector<Handle> handles;
};

/// Any number of items that have several handles each, its members: struct Item { Handle first, second; }.
template <starpu_data_access_mode Mode, class Item>
struct Each {
  static_assert(std::is_standard_layout_v<Item> && sizeof(Item) % sizeof(Handle) == 0, "an item is handles only");
  static constexpr auto mode = Mode;
  std::vector<Item> items;
};

/// How many handles an item has, and which of them a member is.
template <class Item>
inline constexpr int handles_of = int(sizeof(Item) / sizeof(Handle));
template <class Item>
NEARFAR_FUNCTION int place_of(Handle Item::*member) noexcept {
  Item const item{};
  return int(&(item.*member) - reinterpret_cast<Handle const*>(&item));
}

/// Any order of writers, one at a time.
inline constexpr auto commuting = static_cast<starpu_data_access_mode>(STARPU_RW | STARPU_COMMUTE);

using Read = One<STARPU_R>;
using ReadMany = Many<STARPU_R>;
template <class Item>
using ReadEach = Each<STARPU_R, Item>;
using Write = One<STARPU_W>;
using WriteMany = Many<STARPU_W>;
using ReadWrite = One<STARPU_RW>;
using ReadWriteMany = Many<STARPU_RW>;
using Scratch = One<STARPU_SCRATCH>;

/// Writes some rows of an array, which no other task writes. If all tasks run in one memory, each has a handle of
/// its own for its rows, over the same array, and they run concurrently; else they share one handle and take turns.
struct WriteRows {
  Handle handle;
  bool shared = false;

  starpu_data_access_mode mode() const { return shared ? commuting : STARPU_W; }
};

template <class... Access>
struct AccessList {
  static constexpr int size = sizeof...(Access);
};

inline Read read(Handle h) { return {h}; }
inline ReadMany read(std::vector<Handle> h) { return {std::move(h)}; }
template <class Item>
ReadEach<Item> read(std::vector<Item> items) {
  return {std::move(items)};
}
inline Write write(Handle h) { return {h}; }
inline WriteMany write(std::vector<Handle> h) { return {std::move(h)}; }
inline ReadWrite read_write(Handle h) { return {h}; }
inline ReadWriteMany read_write(std::vector<Handle> h) { return {std::move(h)}; }
inline WriteRows write(WriteRows rows) { return rows; }
inline Scratch scratch(Handle h) { return {h}; }

}  // namespace nearfar
