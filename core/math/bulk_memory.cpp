// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/bulk_memory.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <mutex>
#include <new>

namespace nearfar {

namespace {

constexpr std::size_t least = std::size_t(1) << 18;  // smaller arrays are left to the allocator
constexpr std::align_val_t cache_line{64};

/// The size that an array gets: one of eight between powers of two, so that a few points more or less do not matter.
std::size_t rounded(std::size_t bytes) {
  std::size_t const step = std::bit_floor(bytes) / 8;
  return (bytes + step - 1) / step * step;
}

/// Arrays in use, which are counted, and freed ones, the oldest first.
class Arrays {
 public:
  void* allocate(std::size_t size) {
    {
      std::lock_guard const lock(mutex_);
      used_ += size;
      most_used_ = std::max(most_used_, used_);
      for (std::size_t i = count_; i-- > 0;)
        if (kept_[i].size == size) return remove(i);
      drop(most_used_ - used_);
    }
    try {
      return ::operator new(size, cache_line);
    } catch (...) {
      std::lock_guard const lock(mutex_);
      used_ -= size;
      throw;
    }
  }

  void free(void* memory, std::size_t size) noexcept {
    std::lock_guard const lock(mutex_);
    used_ -= size;
    if (count_ == kept_.size()) drop_oldest();
    kept_[count_++] = {memory, size};
    kept_bytes_ += size;
  }

  void trim() noexcept {
    std::lock_guard const lock(mutex_);
    drop(0);
    most_used_ = used_;
  }

 private:
  struct Array {
    void* memory;
    std::size_t size;
  };

  void drop(std::size_t most) noexcept {
    while (kept_bytes_ > most) drop_oldest();
  }
  void drop_oldest() noexcept { ::operator delete(remove(0), cache_line); }
  void* remove(std::size_t i) noexcept {
    Array const array = kept_[i];
    std::move(kept_.begin() + std::ptrdiff_t(i) + 1, kept_.begin() + std::ptrdiff_t(count_),
              kept_.begin() + std::ptrdiff_t(i));
    --count_;
    kept_bytes_ -= array.size;
    return array.memory;
  }

  std::mutex mutex_;
  std::array<Array, 64> kept_{};
  std::size_t count_ = 0, kept_bytes_ = 0, used_ = 0, most_used_ = 0;
};

Arrays& arrays() {
  static auto& all = *new Arrays;  // those of static objects may be freed at the very end
  return all;
}

}  // namespace

void* bulk_allocate(std::size_t bytes) {
  return bytes < least ? ::operator new(bytes, cache_line) : arrays().allocate(rounded(bytes));
}

void bulk_free(void* memory, std::size_t bytes) noexcept {
  if (bytes < least) ::operator delete(memory, cache_line);
  else arrays().free(memory, rounded(bytes));
}

void bulk_trim() noexcept { arrays().trim(); }

}  // namespace nearfar
