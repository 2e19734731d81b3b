// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

namespace nearfar {

/// Large arrays in use, which are counted, and freed ones, which are kept for the next array of about their size, since
/// memory that is new takes long: its pages are touched first, or pinned. Together with what is in use it is never
/// more than was in use at once. Safe to be called by several threads at once.
class KeptArrays {
 public:
  /// Where memory comes from and goes to; `allocate` throws std::bad_alloc. Arrays of less than `least` bytes are not
  /// kept.
  struct Source {
    void* (*allocate)(std::size_t bytes);
    void (*free)(void* memory, std::size_t bytes) noexcept;
    std::size_t least;
  };

  explicit KeptArrays(Source const& source) : source_(source) {}

  void* allocate(std::size_t bytes);
  void free(void* memory, std::size_t bytes) noexcept;
  /// Gives back what is kept.
  void trim() noexcept;

 private:
  struct Array {
    void* memory;
    std::size_t size;
  };

  void drop(std::size_t most) noexcept;
  void drop_oldest() noexcept;
  void* remove(std::size_t i) noexcept;

  Source source_;
  std::mutex mutex_;
  std::array<Array, 64> kept_{};  ///< the oldest first
  std::size_t count_ = 0, kept_bytes_ = 0, used_ = 0, most_used_ = 0;
};

}  // namespace nearfar
