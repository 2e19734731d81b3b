// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/capture/deferred_checks.hpp"

#include <functional>

namespace nearfar {

/// Kernels, fills and transforms that bodies put on a stream, recorded instead of run (a CUDA or HIP graph), and then
/// launched together as often as is wanted, on the memory that they were recorded with. Where that takes less time: a
/// launch costs the host some microseconds, which is more than a kernel for a few thousand points takes.
class CapturedWork {
 public:
  /// `put` puts the work on the stream: not the first time, since it may not make plans or copy tables meanwhile.
  /// Throws std::runtime_error where the device cannot record what it does; what `put` throws goes on.
  CapturedWork(void* stream, std::function<void()> const& put);
  ~CapturedWork();
  CapturedWork(CapturedWork const&) = delete;
  CapturedWork& operator=(CapturedWork const&) = delete;

  /// On any stream of its device, but not while it runs. Throws std::runtime_error if the device refuses.
  void launch(void* stream) const;
  /// Reports what the checks have found, once what was launched has ended.
  void tell() const { checks_.tell(); }

 private:
  DeferredChecks checks_;
  void* work_ = nullptr;
};

}  // namespace nearfar
