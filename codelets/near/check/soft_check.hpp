// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/check/check.hpp"

namespace nearfar {

/// Check with softened pairs in free space, of kernels that may be softened.
template <class T, class K>
struct SoftCheck {
  using Args = CheckArgs;
  using Accesses = typename Check<T, K>::Accesses;
  static constexpr auto name = Check<T, K>::name;
  static char const* symbol();
  static void portable(Buffers const& buffers, Args const& args);
  static void gpu(Buffers const& buffers, Args const& args, void* stream);
};

}  // namespace nearfar
