// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/math/bulk_memory.hpp"

#include <cstddef>
#include <new>
#include <starpu.h>
#include <utility>

namespace nearfar::detail {

/// Memory for a form of the points, owned: from StarPU, which pins it, where workers have several memories. T is
/// trivial.
template <class T>
class Arena {
 public:
  Arena() noexcept = default;
  explicit Arena(std::size_t count) : count_(count), pinned_(starpu_memory_nodes_get_count() > 1) {
    if (count == 0) return;
    void* memory = nullptr;
    if (!pinned_) memory = bulk_allocate(count * sizeof(T));
    else if (starpu_malloc(&memory, count * sizeof(T)) != 0) throw std::bad_alloc();
    data_ = static_cast<T*>(memory);
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
    if (!pinned_) return bulk_free(data_, count_ * sizeof(T));
#if STARPU_MAJOR_VERSION == 1 && STARPU_MINOR_VERSION < 4
    starpu_free(data_);
#else
    starpu_free_noflag(data_, count_ * sizeof(T));
#endif
  }

  T* data_ = nullptr;
  std::size_t count_ = 0;
  bool pinned_ = false;
};

}  // namespace nearfar::detail
