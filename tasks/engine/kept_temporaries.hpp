// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/data.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace nearfar::detail {

/// Temporary data in the order in which they are asked for, kept for who next asks for the same: what was captured of a
/// solve (tasks/engine/chain) then finds them where they were, and nothing is registered or allocated anew. Not
/// thread-safe.
template <Lifetime lifetime>
class BasicKeptData {
 public:
  using Kept = BasicData<lifetime>;

  /// Somebody begins to ask; nobody uses what was asked for before.
  void begin() noexcept {
    next_ = 0;
    for (One& one : kept_) one.data.thaw();
  }

  /// As BasicData::temporary. Where others are asked for than before, these and all after them are replaced.
  template <class T>
  Kept next(char const* name, std::int64_t count, int owner = everywhere) {
    Asked const asked{name, count, sizeof(T), owner};
    if (next_ < kept_.size() && !(kept_[next_].asked == asked)) kept_.resize(next_);
    if (next_ == kept_.size()) kept_.push_back({asked, Kept::template temporary<T>(name, count, owner)});
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
  struct One {
    Asked asked;
    Kept data;  ///< let go when the tasks that use it have ended
  };
  std::vector<One> kept_;
  std::size_t next_ = 0;
};

/// Those of a solve: one thread submits at a time.
using KeptTemporaries = BasicKeptData<Lifetime::solve>;
/// Those of points.
using KeptRoom = BasicKeptData<Lifetime::plan>;

}  // namespace nearfar::detail
