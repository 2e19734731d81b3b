// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>

namespace nearfar::python {

/// Raises what a code of the C API means: ValueError, MemoryError, or RuntimeError for a bug; with its text.
void check(int code);

/// Raise ValueError or TypeError.
[[noreturn]] void value_error(std::string const& text);
[[noreturn]] void type_error(std::string const& text);

}  // namespace nearfar::python
