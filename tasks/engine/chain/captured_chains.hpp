// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/error_slot.hpp"

#include <cstddef>
#include <memory>
#include <mutex>
#include <vector>

namespace nearfar {
class CapturedWork;
}

namespace nearfar::detail {

/// Whether a solve of so many points on one GPU is to be a chain: its launches take about as long as its kernels. Not
/// if it is traced, and not if the environment has NEARFAR_CAPTURE=0: then reports and graphs tell of every stage.
bool suits_capture(bool traced, std::size_t points) noexcept;

/// A chain as it was captured: with the payloads of its steps, which checks refer to.
struct CapturedChain {
  ErrorSlot errors;  ///< of the steps
  std::vector<std::unique_ptr<std::byte[]>> payloads;
  std::shared_ptr<CapturedWork> work;
};

/// The captured chains of a plan, by all that their kernels depend on: stages, arguments, and where the memory is.
/// Thread-safe; used by one worker at a time, whose solves with the same memory StarPU orders.
class CapturedChains {
 public:
  using Key = std::vector<std::byte>;

  /// What is known of a chain.
  struct Known {
    Key key;
    std::shared_ptr<CapturedChain> chain{};  ///< null: it has run once, or cannot be captured
    bool refused = false;
  };

  /// What is known of the chain with this key; null if it never ran here, and it is known from now on.
  std::shared_ptr<Known> find(Key key);

 private:
  /// Two work spaces, and arrays of the caller that take turns.
  static constexpr std::size_t most = 8;

  std::mutex mutex_;
  std::vector<std::shared_ptr<Known>> known_;  ///< those used last are last
};

}  // namespace nearfar::detail
