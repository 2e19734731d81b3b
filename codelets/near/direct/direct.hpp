// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"
#include "core/geometry/axes.hpp"
#include "core/kernels/kernels.hpp"

#include <nearfar/pair_function.hpp>

#include <cstdint>

namespace nearfar {

struct DirectArgs {
  std::int64_t first = 0;  ///< target of the block
  RowColumns columns;      ///< of the caller's rows, for each result; some may go to none
  double screening = 0;    ///< of kernels that have one
  double softening = 0;    ///< of kernels that may have one
};

/// The plain free-space sum onto one block of targets, in long double: the
/// oracle. Throws Error{bad_input} if a result is out of the range of double.
template <class K>
struct Direct {
  using Args = DirectArgs;
  using Accesses = AccessList<Read,    // sources, rows of 3
                              Read,    // strengths, rows
                              Read,    // targets of this block, rows of 3
                              Write>;  // results of this block, rows
  static constexpr char const* name = "direct";
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

struct DirectOwnArgs {
  std::int64_t first = 0;  ///< target of the block
  int strengths = 0, results = 0;
  // A pointer of this process, like the error slot: every rank has its own, and the solve keeps it alive.
  void const* function = nullptr;
  decltype(detail::PairSum::add) add = nullptr;
};

/// The same for a user's pair function.
struct DirectOwn {
  using Args = DirectOwnArgs;
  using Accesses = Direct<Laplace>::Accesses;
  static constexpr auto name = Direct<Laplace>::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
