// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/unload/unload_gpu.hpp"

#include "codelets/common/codelet.hpp"
#include "codelets/pic/unload/unload.hpp"

namespace nearfar {

template <class T>
void Unload<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  std::int64_t const stride = b.size<T>(0) / 6;
  GpuCheck check;
  launch_unload(UnloadBody<T>{b.get<T const>(0) + (args.velocities ? 3 * stride : 0) + args.first,
                              b.get<T>(1) + 3 * args.row, args.count, stride},
                check.place(), stream);
  check.end(stream, [header = b.header(), args, worker = current_worker()](BadNumber const& bad) {
    Error const error = not_finite(args, args.row + std::int64_t(bad.place / 3), bad.value);
    header.errors->store(Unload::name, header.block, worker, std::make_exception_ptr(error));
  });
}

template void Unload<double>::gpu(Buffers const&, UnloadArgs const&, void*);
template void Unload<float>::gpu(Buffers const&, UnloadArgs const&, void*);

}  // namespace nearfar
