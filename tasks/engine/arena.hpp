// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <new>
#include <starpu.h>
#include <utility>

namespace nearfar::detail {

/// Memory from StarPU (pinned where a GPU wants it), owned. T is trivial.
template <class T>
class Arena {
 public:
  Arena() noexcept = default;
  explicit Arena(std::size_t count) : count_(count) {
    void* memory = nullptr;
    if (count > 0 && starpu_malloc(&memory, count * sizeof(T)) != 0) throw std::bad_alloc();
    data_ = static_cast<T*>(memory);
  }
  Arena(Arena&& other) noexcept : data_(std::exchange(other.data_, nullptr)), count_(std::exchange(other.count_, 0)) {}
  Arena& operator=(Arena&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~Arena() {
    if (data_ == nullptr) return;
#if STARPU_MAJOR_VERSION == 1 && STARPU_MINOR_VERSION < 4
    starpu_free(data_);
#else
    starpu_free_noflag(data_, count_ * sizeof(T));
#endif
  }

  T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return count_; }

 private:
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace nearfar::detail
