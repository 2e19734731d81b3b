// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>

namespace nearfar::detail {

/// Bytes of memory that this process may use: the machine's, or its control group's limit where that is less.
std::size_t memory_limit() noexcept;

/// Throws Error{no_resource}, with both figures, when `bytes` is more than that.
void expect_memory(std::size_t bytes);

}  // namespace nearfar::detail
