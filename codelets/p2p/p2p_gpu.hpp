// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/p2p/p2p_body.hpp"
#include "codelets/tables.hpp"

namespace nearfar {

/// Source blocks that travel as kernel arguments; a task with more of them is several launches.
template <class T>
struct SourceViews {
  static constexpr int capacity = 96;
  SourceView<T> view[capacity];
  int first = 0;  ///< neighbour number of view[0]
  int count = 0;
};

/// Device pointers of a P2P task.
template <class T>
struct P2PLaunch {
  P2PArgs args;
  EwaldTables<T> const* tables = nullptr;
  T const* target = nullptr;
  std::int32_t const* offset = nullptr;
  std::int64_t stride = 0;
  T* result = nullptr;  ///< of the share, a row for each point
};

/// Puts the near field of `sources` onto the targets, or adds it, on a stream (cudaStream_t or hipStream_t); returns at
/// once. Throws std::runtime_error when the launch is refused. No StarPU in here: it runs and links without.
template <Kernel K, bool Gradient, class T>
void launch_p2p(P2PLaunch<T> const& launch, SourceViews<T> const& sources, bool add, void* stream);

}  // namespace nearfar
