// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace nearfar {

/// Memory for large arrays that come and go with every step of a simulation: kept (core/math/kept_arrays.hpp), since the
/// first touch of fresh pages took a third of setting points. Safe to be called by several threads at once.
void* bulk_allocate(std::size_t bytes);  ///< throws std::bad_alloc; whole cache lines, not set to 0
void bulk_free(void* memory, std::size_t bytes) noexcept;
/// Gives back what is kept.
void bulk_trim() noexcept;

/// For vectors in such memory, whose new elements are not set: they are written before they are read.
template <class T>
struct BulkAllocator {
  static_assert(std::is_trivially_copyable_v<T>);
  using value_type = T;

  BulkAllocator() = default;
  template <class U>
  BulkAllocator(BulkAllocator<U> const&) noexcept {}

  T* allocate(std::size_t count) { return static_cast<T*>(bulk_allocate(count * sizeof(T))); }
  void deallocate(T* memory, std::size_t count) noexcept { bulk_free(memory, count * sizeof(T)); }
  template <class U, class... Args>
  void construct(U* at, Args&&... args) {
    if constexpr (sizeof...(Args) == 0) ::new (static_cast<void*>(at)) U;
    else ::new (static_cast<void*>(at)) U(std::forward<Args>(args)...);
  }
  friend bool operator==(BulkAllocator const&, BulkAllocator const&) { return true; }
};

template <class T>
using BulkVector = std::vector<T, BulkAllocator<T>>;

}  // namespace nearfar
