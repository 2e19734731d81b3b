// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace nearfar {

/// `rounds` times one step of a fixed number of chains of multiply-adds, compiled once per instruction set. Returns the
/// floating-point operations that this were; *sum is for the compiler to believe that they are needed.
template <class Tag, class T>
std::int64_t multiply_adds(std::int64_t rounds, T* sum);

}  // namespace nearfar
