// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <exception>
#include <string>

namespace nearfar {

/// Keeps the first error of one solve; later tasks of that solve see it and return at once.
class ErrorSlot {
 public:
  bool failed() const noexcept { return state_.load(std::memory_order_acquire) == full; }

  void store(char const* stage, int block, std::string worker, std::exception_ptr error) noexcept {
    int expected = empty;
    if (!state_.compare_exchange_strong(expected, writing)) return;
    stage_ = stage;
    block_ = block;
    worker_ = std::move(worker);
    error_ = std::move(error);
    state_.store(full, std::memory_order_release);
  }

  /// Throws the error with its stage, block and worker; an Error keeps its fault, anything else becomes a bug.
  void rethrow_if_failed() const;

 private:
  enum : int { empty, writing, full };
  std::atomic<int> state_{empty};
  char const* stage_ = "";
  int block_ = 0;
  std::string worker_;
  std::exception_ptr error_;
};

}  // namespace nearfar
