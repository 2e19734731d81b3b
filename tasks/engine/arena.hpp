// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bulk_memory.hpp"
#include "tasks/engine/runtime/memory.hpp"

#include <cstddef>
#include <starpu.h>
#include <utility>

namespace nearfar::detail {

/// Memory for one form of the points, owned; pinned if workers have several memories. T is trivial.
template <class T>
class Arena {
 public:
  Arena() noexcept = default;
  explicit Arena(std::size_t count) : count_(count), pinned_(starpu_memory_nodes_get_count() > 1) {
    if (count == 0) return;
    std::size_t const bytes = count * sizeof(T);
    data_ = static_cast<T*>(pinned_ ? pinned_allocate(bytes) : bulk_allocate(bytes));
  }
  Arena(Arena&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)), pinned_(other.pinned_) {}
  Arena& operator=(Arena&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    std::swap(pinned_, other.pinned_);
    return *this;
  }
  ~Arena() { release(); }

  T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return count_; }

 private:
  void release() noexcept {
    if (data_ == nullptr) return;
    if (pinned_) pinned_free(data_, count_ * sizeof(T));
    else bulk_free(data_, count_ * sizeof(T));
  }

  T* data_ = nullptr;
  std::size_t count_ = 0;
  bool pinned_ = false;
};

}  // namespace nearfar::detail
