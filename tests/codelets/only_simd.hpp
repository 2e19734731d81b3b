// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdlib>

namespace nearfar::test {

/// Whether this run of the program is a further one, for another instruction set (NEARFAR_SIMD). Instruction sets
/// change the tuned bodies alone, so that it compares these with the portable ones: those are compared with the
/// definition, and threads of GPUs with them, by the run without.
inline bool only_simd() { return std::getenv("NEARFAR_SIMD") != nullptr; }

}  // namespace nearfar::test
