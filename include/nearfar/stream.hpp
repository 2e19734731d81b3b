// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// A GPU stream of the caller: a cudaStream_t or hipStream_t, null for the default stream. It
/// need not outlive the call that gets it.
struct Stream {
  void* handle = nullptr;
};

}  // namespace nearfar
