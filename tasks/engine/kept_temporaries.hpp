// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/data.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace nearfar::detail {

/// The temporary data of a solve, in the order in which it asks for them, kept for the next solve that asks for the
/// same: what was captured of one (tasks/engine/chain) then finds them where they were, and nothing is registered or
/// allocated anew. Not thread-safe: one thread submits at a time.
class KeptTemporaries {
 public:
  /// A solve begins to ask.
  void begin() noexcept { next_ = 0; }

  /// As SolveData::temporary. Where a solve asks for others than the one before, these and all after them are replaced.
  template <class T>
  SolveData next(char const* name, std::int64_t count, int owner) {
    Asked const asked{name, count, sizeof(T), owner};
    if (next_ < kept_.size() && !(kept_[next_].asked == asked)) kept_.resize(next_);
    if (next_ == kept_.size()) kept_.push_back({asked, SolveData::temporary<T>(name, count, owner)});
    return kept_[next_++].data.lent();
  }

 private:
  struct Asked {
    std::string_view name;
    std::int64_t count = 0;
    std::size_t element = 0;
    int owner = everywhere;
    bool operator==(Asked const&) const = default;
  };
  struct Kept {
    Asked asked;
    SolveData data;  ///< let go when the tasks that use it have ended
  };
  std::vector<Kept> kept_;
  std::size_t next_ = 0;
};

}  // namespace nearfar::detail
