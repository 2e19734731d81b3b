// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/pic/scatter/scatter.hpp"

namespace nearfar {

struct AddSharesArgs {};

/// The end of scatter on several ranks: adds what the particles of each rank contribute
/// to the density of one slab, rank by rank. The same stage in traces and tables.
template <class T>
struct AddShares {
  using Args = AddSharesArgs;
  using Accesses = AccessList<ReadMany,  // the slab by the particles of each rank
                              Write>;    // slab
  static constexpr char const* name = Scatter<T>::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
