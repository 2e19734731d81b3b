// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/function.hpp"

#include <algorithm>

namespace nearfar {

/// What a kernel needs to know about some buffers of its task, passed as launch arguments: those
/// numbered first .. first + count. A task with more of them makes several launches, which add up.
template <class Item>
struct LaunchList {
  static constexpr int capacity = 2944 / int(sizeof(Item));  // all arguments together may take 4096 bytes
  Item item[capacity];
  int first = 0, count = 0;

  NEARFAR_FUNCTION bool has(int number) const { return number >= first && number < first + count; }
  NEARFAR_FUNCTION Item const& operator[](int number) const { return item[number - first]; }
};

/// Calls launch(list) until each of item_at(0) .. item_at(count - 1) has been on a list; once if there are none.
template <class Item, class ItemAt, class Launch>
void launch_in_parts(int count, ItemAt const& item_at, Launch const& launch) {
  LaunchList<Item> list;
  do {
    list.count = std::min(LaunchList<Item>::capacity, count - list.first);
    for (int i = 0; i < list.count; ++i) list.item[i] = item_at(list.first + i);
    launch(list);
    list.first += list.count;
  } while (list.first < count);
}

}  // namespace nearfar
