// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/kept_arrays.hpp"

#include <algorithm>
#include <bit>

namespace nearfar {

namespace {

/// The size an array really gets, one of eight between powers of two, so that it can be reused for slightly more
/// points.
std::size_t rounded(std::size_t bytes) {
  std::size_t const step = std::bit_floor(bytes) / 8;
  return (bytes + step - 1) / step * step;
}

}  // namespace

void* KeptArrays::allocate(std::size_t bytes) {
  if (bytes < source_.least) return source_.allocate(bytes);
  std::size_t const size = rounded(bytes);
  {
    std::lock_guard const lock(mutex_);
    used_ += size;
    most_used_ = std::max(most_used_, used_);
    for (std::size_t i = count_; i-- > 0;)
      if (kept_[i].size == size) return remove(i);
    drop(most_used_ - used_);
  }
  try {
    return source_.allocate(size);
  } catch (...) {
    std::lock_guard const lock(mutex_);
    used_ -= size;
    throw;
  }
}

void KeptArrays::free(void* memory, std::size_t bytes) noexcept {
  if (bytes < source_.least) return source_.free(memory, bytes);
  std::size_t const size = rounded(bytes);
  std::lock_guard const lock(mutex_);
  used_ -= size;
  if (count_ == kept_.size()) drop_oldest();
  kept_[count_++] = {memory, size};
  kept_bytes_ += size;
}

void KeptArrays::trim() noexcept {
  std::lock_guard const lock(mutex_);
  drop(0);
  most_used_ = used_;
}

void KeptArrays::drop(std::size_t most) noexcept {
  while (kept_bytes_ > most) drop_oldest();
}

void KeptArrays::drop_oldest() noexcept {
  std::size_t const size = kept_[0].size;
  source_.free(remove(0), size);
}

void* KeptArrays::remove(std::size_t i) noexcept {
  Array const array = kept_[i];
  std::move(kept_.begin() + std::ptrdiff_t(i) + 1, kept_.begin() + std::ptrdiff_t(count_),
            kept_.begin() + std::ptrdiff_t(i));
  --count_;
  kept_bytes_ -= array.size;
  return array.memory;
}

}  // namespace nearfar
