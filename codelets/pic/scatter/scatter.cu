// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/pic/scatter/scatter_gpu.hpp"

namespace nearfar {

template <class T>
void launch_scatter(ScatterBody<T> const& body, void* stream) {
  gpu_for_all(body.count(), stream, body, "scatters charges");
}

template void launch_scatter(ScatterBody<double> const&, void*);
template void launch_scatter(ScatterBody<float> const&, void*);

}  // namespace nearfar
