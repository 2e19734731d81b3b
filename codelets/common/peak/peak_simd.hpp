// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace nearfar {

/// Runs `rounds` steps of a fixed number of chains of multiply-adds, compiled once per instruction
/// set. Returns the number of floating-point operations; *sum keeps the compiler from dropping them.
template <class Tag, class T>
std::int64_t multiply_adds(std::int64_t rounds, T* sum);

}  // namespace nearfar
