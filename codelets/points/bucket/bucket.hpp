// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/geometry/frame.hpp"

#include <cstdint>

namespace nearfar {

struct BucketArgs {
  Frame frame;
  std::int64_t first = 0, last = 0;  ///< rows
  bool keep_given = false;           ///< positions as the caller gave them are a form that may differ
};

/// A part of the caller's points by block (core/geometry/cell_sort.hpp).
template <class T>
struct Bucket {
  using Args = BucketArgs;
  using Accesses = AccessList<Read,     // cell_lookup
                              Read,     // the caller's points, rows of 3
                              Scratch,  // PlaceInBlock of each point of a part
                              Write>;   // Buckets
  static constexpr char const* name = "bucket";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
