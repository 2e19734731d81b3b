// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/check/check.hpp"

namespace nearfar {

struct SoftCheckArgs {
  int vectors = 1;
  double softening_squared = 0;
};

/// Check with softened pairs in free space, of kernels that may be softened. On CPUs.
template <class T, class K>
struct SoftCheck {
  using Args = SoftCheckArgs;
  using Accesses = typename Check<T, K>::Accesses;
  static constexpr auto name = Check<T, K>::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
};

}  // namespace nearfar
