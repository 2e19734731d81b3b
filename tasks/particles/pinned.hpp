// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "tasks/engine/given_arrays.hpp"

namespace nearfar::detail {

/// Whether all of the caller's arrays are in pages of the host that a GPU's driver has pinned (cudaMallocHost,
/// cudaHostRegister and the like): GPUs then read and write them as fast as their links go, without copies by workers.
template <class T>
bool are_pinned(GivenArrays<T> const& arrays);

}  // namespace nearfar::detail
