// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu_alias.hpp"

#include <cstdint>

// In the place of codelets/common/gpu_for_all.hpp where a test runs a .cu file on the host: what threads do, one after
// the other, the last one first.
namespace nearfar {

template <class Body>
void gpu_for_all(std::int64_t count, void*, Body const& body, char const*) {
  for (std::int64_t i = count - 1; i >= 0; --i) body(i);
}

}  // namespace nearfar
