// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// While it lives, bodies that this thread runs put their work on this stream instead of their worker's own.
class OnStream {
 public:
  explicit OnStream(void* stream) noexcept : before_(current_) { current_ = stream; }
  ~OnStream() { current_ = before_; }
  OnStream(OnStream const&) = delete;
  OnStream& operator=(OnStream const&) = delete;

  /// The stream of this thread's, or null.
  static void* current() noexcept { return current_; }

 private:
  static inline thread_local void* current_ = nullptr;
  void* before_;
};

}  // namespace nearfar
