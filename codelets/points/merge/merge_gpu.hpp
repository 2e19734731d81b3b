// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu_check.hpp"
#include "codelets/points/merge/merge_body.hpp"

namespace nearfar {

/// Merges all points of the chunk on a stream; returns at once. The first sum that is beyond the range of T is left in
/// `bad`, with its exponent, by its place in the caller's rows. Throws std::runtime_error when a launch is refused.
template <class T>
void launch_merge(MergeView<T> const& view, BadNumber* bad, void* stream);

}  // namespace nearfar
