// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/check/check_body.hpp"

namespace nearfar {

/// The sums of a check, compiled once per instruction set (Tag of codelets/common/simd/simd.hpp).
template <class Tag, class T, class K>
void check_simd(CheckBuffers<T> const& buffers, CheckArgs const& args);

}  // namespace nearfar
