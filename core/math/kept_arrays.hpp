// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstddef>
#include <mutex>

namespace nearfar {

/// Keeps freed large arrays for the next request of about the same size, because new memory is
/// expensive: its pages have to be touched first, or pinned. What is in use is counted; kept
/// and used memory together never exceed the most that was ever in use at once. Thread-safe.
class KeptArrays {
 public:
  /// `allocate` and `free` are the underlying functions; `allocate` throws
  /// std::bad_alloc. Arrays smaller than `least` bytes are not kept.
  struct Source {
    void* (*allocate)(std::size_t bytes);
    void (*free)(void* memory, std::size_t bytes) noexcept;
    std::size_t least;
  };

  explicit KeptArrays(Source const& source) : source_(source) {}

  void* allocate(std::size_t bytes);
  void free(void* memory, std::size_t bytes) noexcept;
  /// Frees the kept arrays.
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
