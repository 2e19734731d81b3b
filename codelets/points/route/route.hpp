// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "codelets/points/copy/row_pieces.hpp"
#include "core/math/function.hpp"

#include <cstdint>

namespace nearfar {

/// Points of some blocks, one block after the other, and the stretches that the caller's rows are cut into.
struct RoutedPoints {
  static constexpr int max_stretches = max_row_pieces, max_blocks = 16;
  static constexpr int run = 8;  ///< points that are looked at one after the other

  int stretches = 0;
  std::uint32_t row[max_stretches + 1] = {};  ///< the first of each, and the end
  int blocks = 0;
  std::int32_t begin[max_blocks + 1] = {};  ///< where the points of each block begin, and the end
  std::int32_t skipped = 0;                 ///< of each block, so many points before these

  NEARFAR_FUNCTION int points() const { return begin[blocks]; }
  NEARFAR_FUNCTION int runs() const { return (points() + run - 1) / run; }
  /// Numbers that CountRoutes writes.
  NEARFAR_FUNCTION std::int64_t begins() const { return std::int64_t(stretches) * runs() + 1; }
};

/// How many rows each run of points has in each stretch.
struct CountRoutes {
  using Args = RoutedPoints;
  using Accesses = AccessList<ReadMany,  // rows of the points of each block
                              Write,     // stretch by stretch, of each run: rows of runs before it; and the end
                              Write>;    // the same of each stretch as a whole; and the end
  static constexpr char const* name = "count_routes";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

struct RouteRowsArgs {
  RoutedPoints points;
  bool listed[RoutedPoints::max_stretches] = {};  ///< stretches for which lists are written
};

/// Rows of points stretch by stretch, in each in the order of the points.
struct RouteRows {
  using Args = RouteRowsArgs;
  using Accesses = AccessList<ReadMany,    // rows of the points of each block
                              Read,        // as CountRoutes writes it
                              WriteMany,   // of each listed stretch: rows of the stretch
                              WriteMany,   // of each listed stretch: of which points they are; or none
                              WriteMany>;  // of each block: where its points are among all rows; or none
  static constexpr char const* name = "route_rows";
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
