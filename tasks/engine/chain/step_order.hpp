// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <span>
#include <starpu.h>
#include <vector>

namespace nearfar::detail {

/// Which steps of a chain must have ended before another one begins, as StarPU would find from what each accesses, and
/// on how few streams they can be put so that no others wait for each other. Not thread-safe.
class StepOrder {
 public:
  /// Where a step goes. What is before it on its stream it follows anyway.
  struct Place {
    int stream = 0;
    std::vector<int> after;  ///< steps on other streams to wait for
  };

  /// The place of the next step, which accesses these data, by number, in these modes. The first one's stream is 0.
  Place next(std::span<int const> data, std::span<starpu_data_access_mode const> modes);

  int steps() const noexcept { return int(before_.size()); }
  int streams() const noexcept { return int(last_.size()); }
  /// The steps that nothing has to wait for yet.
  std::vector<int> ends() const;

 private:
  struct Uses {
    int written = -1;       ///< by the last step that did
    std::vector<int> read;  ///< by those after it
  };

  std::vector<Uses> uses_;                 // of each datum
  std::vector<std::vector<bool>> before_;  // of each step: those that have ended when it begins
  std::vector<int> last_;                  // of each stream
};

}  // namespace nearfar::detail
