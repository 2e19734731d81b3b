// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace nearfar {

/// What ranks are connected by, as one of them sees it while all send to all. Zeros: faster than any plan notices.
struct Network {
  double latency = 0;    ///< seconds from a rank to another
  double bandwidth = 0;  ///< bytes per second that each rank sends; 0: no limit

  double seconds(double messages, double bytes) const noexcept {
    return messages * latency + (bandwidth > 0 ? bytes / bandwidth : 0);
  }
};

}  // namespace nearfar
