// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/pic/gather/gather_gpu.hpp"

namespace nearfar {

template <class T>
void launch_gather(GatherBody<T> const& body, void* stream) {
  gpu_for_all(body.count, stream, body, "gathers the field");
}

template void launch_gather(GatherBody<double> const&, void*);
template void launch_gather(GatherBody<float> const&, void*);

}  // namespace nearfar
