// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/bulk_memory.hpp"

#include "core/math/kept_arrays.hpp"

#include <cstddef>
#include <new>

namespace nearfar {

namespace {

constexpr std::align_val_t cache_line{64};

KeptArrays& arrays() {
  constexpr std::size_t least = std::size_t(1) << 18;  // smaller arrays are left to the allocator
  static auto& all = *new KeptArrays({[](std::size_t bytes) { return ::operator new(bytes, cache_line); },
                                      [](void* memory, std::size_t) noexcept { ::operator delete(memory, cache_line); },
                                      least});  // those of static objects may be freed at the very end
  return all;
}

}  // namespace

void* bulk_allocate(std::size_t bytes) { return arrays().allocate(bytes); }
void bulk_free(void* memory, std::size_t bytes) noexcept { arrays().free(memory, bytes); }
void bulk_trim() noexcept { arrays().trim(); }

}  // namespace nearfar
