// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/images/images_team.hpp"

namespace nearfar {

/// The sums of a task over the images of some source blocks, added to those of the blocks before, on a stream; returns
/// at once. Throws std::runtime_error if a launch is refused.
template <class K, class T, class A>
void launch_images(ImagesLaunch<T, A> const& task, LaunchList<SourceView<A>> const& sources, void* stream);

}  // namespace nearfar
