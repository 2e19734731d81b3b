// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"

#include <cstddef>
#include <functional>

namespace nearfar {

struct LoopArgs {
  std::function<void(std::size_t)> const* body = nullptr;
  std::size_t first = 0, last = 0;
};

/// Part of a loop of the caller (core/tree/loop.hpp): on a CPU, in the caller's memory,
/// while the caller waits. For data of points that have no handles yet: sizes and lists.
struct LoopPart {
  using Args = LoopArgs;
  using Accesses = AccessList<>;
  static constexpr char const* name = "loop";
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
