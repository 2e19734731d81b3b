// SPDX-License-Identifier: BSD-3-Clause
#include "tests/tasks/failing_allocation.hpp"

#include <nearfar/kernel.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <link.h>
#include <new>

namespace {

constexpr long none = std::numeric_limits<long>::max();

std::atomic<long> to_fail{none}, count{0}, live{0};

bool fails() noexcept { return count.fetch_add(1, std::memory_order_relaxed) + 1 == to_fail; }

void* allocate(std::size_t bytes, std::size_t alignment) {
  if (fails()) throw std::bad_alloc();
  // aligned_alloc wants whole multiples.
  void* const memory = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  live.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  live.fetch_sub(1, std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace

// The other forms of new and delete call these.
void* operator new(std::size_t bytes) { return allocate(bytes, alignof(std::max_align_t)); }
void* operator new(std::size_t bytes, std::align_val_t alignment) { return allocate(bytes, std::size_t(alignment)); }
// std::stable_sort asks this one; sanitizers have their own, which fits no other operator delete.
void* operator new(std::size_t bytes, std::nothrow_t const&) noexcept {
  try {
    return operator new(bytes);
  } catch (std::bad_alloc const&) {
    return nullptr;
  }
}
void operator delete(void* memory) noexcept { release(memory); }
void operator delete(void* memory, std::size_t) noexcept { release(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { release(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { release(memory); }

#ifndef NEARFAR_SANITIZED
namespace {

/// Where the code of libnearfar is.
struct Code {
  std::uintptr_t begin = 0, end = 0;
};
Code code;

int find_code(dl_phdr_info* object, std::size_t, void* inside) {
  for (int i = 0; i < object->dlpi_phnum; ++i) {
    auto const& part = object->dlpi_phdr[i];
    std::uintptr_t const begin = object->dlpi_addr + part.p_vaddr;
    if (part.p_type != PT_LOAD || (part.p_flags & PF_X) == 0) continue;
    if (auto const at = reinterpret_cast<std::uintptr_t>(inside); at < begin || at >= begin + part.p_memsz) continue;
    code = {begin, begin + part.p_memsz};
  }
  return 0;
}

[[maybe_unused]] bool const found = [] {
  auto* inside = static_cast<int (*)(nearfar::Kernel)>(nearfar::strength_components);
  dl_iterate_phdr(find_code, reinterpret_cast<void*>(inside));
  return true;
}();

}  // namespace

extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void* malloc(std::size_t bytes) {
  auto const caller = reinterpret_cast<std::uintptr_t>(__builtin_return_address(0));
  if (caller >= code.begin && caller < code.end && fails()) return nullptr;
  return __libc_malloc(bytes);
}
#endif

namespace nearfar::test {

void fail_allocation(long n) noexcept {
  to_fail = none;
  count = 0;
  if (n > 0) to_fail = n;
}
bool allocation_failed() noexcept { return count >= to_fail; }
long allocations() noexcept { return count; }
long live_allocations() noexcept { return live; }

}  // namespace nearfar::test
