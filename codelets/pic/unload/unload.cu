// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_for_all.hpp"
#include "codelets/pic/unload/unload_gpu.hpp"

namespace nearfar {

template <class T>
void launch_unload(UnloadBody<T> const& body, void* stream) {
  gpu_for_all(body.count, stream, body, "unloads particles");
}

template void launch_unload(UnloadBody<double> const&, void*);
template void launch_unload(UnloadBody<float> const&, void*);

}  // namespace nearfar
