// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/unload/unload_gpu.hpp"

#include "codelets/pic/unload/unload.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T>
void Unload<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  std::int64_t const stride = b.size<T>(0) / 6;
  launch_unload(UnloadBody<T>{b.get<T const>(0) + (args.velocities ? 3 * stride : 0) + args.first,
                              b.get<T>(1) + 3 * args.row, args.count, stride},
                stream);
}

template void Unload<double>::gpu(Buffers const&, UnloadArgs const&, void*);
template void Unload<float>::gpu(Buffers const&, UnloadArgs const&, void*);

}  // namespace nearfar

#endif
