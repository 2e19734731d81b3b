// SPDX-License-Identifier: BSD-3-Clause
#include "core/math/bulk_memory.hpp"

#include <cstdint>
#include <doctest/doctest.h>

using namespace nearfar;

TEST_CASE("memory of a large array that has gone serves the next one of about its size") {
  constexpr std::size_t size = std::size_t(1) << 20;
  bulk_trim();
  void* const first = bulk_allocate(size);
  bulk_free(first, size);
  void* const next = bulk_allocate(size - 1000);
  CHECK(next == first);
  void* const other = bulk_allocate(size);  // what is in use is not given away
  CHECK(other != first);
  bulk_free(other, size);
  bulk_free(next, size - 1000);
  bulk_trim();
}

TEST_CASE("arrays of any size begin with a cache line") {
  for (std::size_t size : {std::size_t(1), std::size_t(1000), std::size_t(300000), std::size_t(5000000)}) {
    BulkVector<char> const array(size);
    CHECK(reinterpret_cast<std::uintptr_t>(array.data()) % 64 == 0);
  }
}
