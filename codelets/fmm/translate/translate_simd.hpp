// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/translate/translate_body.hpp"

namespace nearfar {

/// All shifts of a task with SIMD lanes holding boxes, compiled once per instruction set (Tag of
/// codelets/common/simd/simd.hpp).
template <class Tag, class T>
void translate_simd(TranslateBuffers<T> const& buffers, Shift shift);

}  // namespace nearfar
