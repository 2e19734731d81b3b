// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "cli/trace/trace_file.hpp"

#include <optional>

namespace nearfar::cli {

/// Seconds in which something was so on a rank, summed over ranks, and in how many of them a near-field task ran there.
struct Covered {
  double seconds = 0, covered = 0;
  double share() const noexcept { return seconds > 0 ? covered / seconds : 0; }
};

struct Overlap {
  Covered transforms;  ///< an FFT ran there
  Covered messages;    ///< a message to the rank, or from it, was under way
  Covered either;
  double idle = 0;  ///< seconds in no task that a worker had, on average of all, from the first start to the last end
};

/// Of one solve, or all.
Overlap overlap_of(Trace const& trace, std::optional<int> solve = {});

/// By all messages.
double sent_bytes(Trace const& trace);

}  // namespace nearfar::cli
