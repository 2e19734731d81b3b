// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/p2p/p2p_buffers.hpp"

namespace nearfar {

/// What a launch of P2P on a GPU knows: pointers of the task, and what all its threads would compute alike.
template <class T>
struct P2PLaunch {
  P2PArgs args;
  ColumnReach reach{};
  float rough_limit = 0;  ///< of the square of a distance
  EwaldTables<T> const* tables = nullptr;
  T const* target = nullptr;
  std::int32_t const* offset = nullptr;
  std::int64_t stride = 0;
  T* result = nullptr;  ///< of the chunk, a row for each point

  template <class A>
  static P2PLaunch of(P2PBuffers<T, A> const& b, P2PArgs const& args) {
    return {args,    column_reach(args.cells), nearfar::rough_limit(args.cells), b.tables, b.target, b.offset, b.stride,
            b.result};
  }
};

}  // namespace nearfar
