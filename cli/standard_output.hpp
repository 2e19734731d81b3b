// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdio>
#include <string>

namespace nearfar::cli {

/// Keeps standard output for results. What libraries print there goes to standard error from now on (StarPU and hwloc
/// do, where variables ask them to). Once, at the begin of the program.
void keep_standard_output();

/// Standard output as the program was given it.
std::FILE* results() noexcept;

/// As printf, to it.
[[gnu::format(printf, 1, 2)]] void print(char const* format, ...);

/// A path by which it can be opened, for "-" and the names that it has in the system; other paths as they are.
std::string opened_as(std::string const& path);

}  // namespace nearfar::cli
