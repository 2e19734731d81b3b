// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <mutex>
#include <optional>
#include <utility>

namespace nearfar {

/// What was made last of some keys, `count` of them: a plan asks for the same several times, and so do plans after it.
/// Thread-safe; who asks while something is made waits.
template <class Key, class Value, std::size_t count = 8>
class Kept {
 public:
  template <class Make>
  Value of(Key const& key, Make const& make) {
    std::lock_guard const lock(mutex_);
    for (auto const& known : last_)
      if (known && known->first == key) return known->second;
    next_ = (next_ + 1) % count;
    return last_[next_].emplace(key, make()).second;
  }

 private:
  std::mutex mutex_;
  std::array<std::optional<std::pair<Key, Value>>, count> last_;
  std::size_t next_ = 0;
};

}  // namespace nearfar
