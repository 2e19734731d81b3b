// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace nearfar::detail {

/// Bytes of memory that this process may use: the machine's, or its control group's limit where that is less.
std::size_t memory_limit() noexcept;

/// "1.5 GiB"
std::string gibibytes(std::size_t bytes);

/// Throws Error{no_resource}, with both figures, when `bytes` is more than that.
void expect_memory(std::size_t bytes);

}  // namespace nearfar::detail
