// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/p2p/p2p_team.hpp"

namespace nearfar {

/// Computes the near field of `sources` at the targets, or adds it unless they are the first of
/// the task, on a stream (cudaStream_t or hipStream_t); returns at once. Throws
/// std::runtime_error if the launch is refused. No StarPU in here, so it runs and links without.
template <class K, class T, class A>
void launch_p2p(P2PLaunch<T> const& launch, LaunchList<SourceView<A>> const& sources, void* stream);

}  // namespace nearfar
