// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/error_slot.hpp"
#include "tasks/engine/kept_temporaries.hpp"
#include "tasks/engine/workspaces.hpp"

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <starpu.h>
#include <utility>
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
  std::vector<starpu_vector_interface> buffers;  ///< where its data were, for a CPU
  std::shared_ptr<CapturedWork> work;            ///< null on a CPU, which runs the same steps again
};

/// The captured chains of a plan, by all that their kernels depend on: stages, arguments, and where the memory is; and
/// the temporary data of its solves, which stay there. Thread-safe but for these; used by one worker at a time, whose
/// solves with the same memory StarPU orders.
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

  /// Temporary data for a solve with these points, so many sources and targets; at most `bytes`. Points of the same
  /// numbers, as they move, find the same; with the next solve, those of points that are gone go. Called by the one
  /// thread that submits.
  using Counts = std::pair<std::size_t, std::size_t>;
  KeptTemporaries& temporaries_for(SolveState const& solve, std::shared_ptr<void const> const& points,
                                   Counts const& counts, std::size_t bytes);

 private:
  /// Two work spaces, and arrays of the caller that take turns.
  static constexpr std::size_t most = 8;

  struct OfPoints {
    std::weak_ptr<void const> last;  ///< points that had a solve with them
    Workspaces<KeptTemporaries> sets;
  };

  std::mutex mutex_;
  std::vector<std::shared_ptr<Known>> known_;  ///< those used last are last
  std::map<Counts, OfPoints> temporaries_;
};

}  // namespace nearfar::detail
