// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <string>

namespace nearfar::cli {

/// Memory that the machine and the control group still have; infinity where neither says.
double available_bytes();

/// Before arrays are made for `count` things of so many bytes: throws Error{no_resource} if this process cannot get as
/// much. The kernel would promise it, and end the process, or others, when it is filled.
void expect_memory_for(std::size_t count, std::size_t bytes_each, std::string const& what, std::string const& cure);

}  // namespace nearfar::cli
