// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu_check.hpp"
#include "codelets/points/merge/merge_body.hpp"

namespace nearfar {

/// Merges all points of the chunk on a stream; returns at once. `bad` receives the first sum that is out of the
/// range of T, with its exponent and place in the caller's rows. Throws std::runtime_error if a launch is refused.
template <class T>
void launch_merge(MergeView<T> const& view, BadNumber* bad, void* stream);

}  // namespace nearfar
