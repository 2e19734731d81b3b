// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <exception>
#include <limits>
#include <mutex>

namespace nearfar {

/// Catches what iterations of a loop on several threads throw, since nothing may leave a thread. Thread-safe.
class LoopError {
 public:
  /// Calls the body of iteration i.
  template <class Body>
  void guard(int i, Body const& body) noexcept {
    try {
      body();
    } catch (...) {
      std::scoped_lock const lock(mutex_);
      if (i >= first_) return;
      first_ = i;
      error_ = std::current_exception();
    }
  }

  /// Rethrows the error of the lowest iteration, if any: the same one for any number of threads.
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  std::mutex mutex_;
  int first_ = std::numeric_limits<int>::max();
  std::exception_ptr error_;
};

}  // namespace nearfar
