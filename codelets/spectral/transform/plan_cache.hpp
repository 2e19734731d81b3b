// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <map>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

namespace nearfar {

/// Plans of one library by key, kept for the life of the process: they are never destroyed, because solves
/// may be in flight at the end of main. Make it static by `new`. Thread-safe; makes one plan at a time.
template <class Plans>
class PlanCache {
 public:
  /// `make()` is called if there is no plan for this key.
  template <class Make>
  Plans const& get(std::vector<int> key, Make make) {
    {
      std::shared_lock const lock(mutex_);
      if (auto const found = known_.find(key); found != known_.end()) return found->second;
    }
    std::unique_lock const lock(mutex_);
    if (auto const found = known_.find(key); found != known_.end()) return found->second;
    return known_.emplace(std::move(key), make()).first->second;
  }

 private:
  std::shared_mutex mutex_;
  std::map<std::vector<int>, Plans> known_;
};

}  // namespace nearfar
