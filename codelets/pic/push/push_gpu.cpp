// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/pic/push/push_gpu.hpp"

#include "codelets/common/codelet.hpp"

namespace nearfar {

template <class T>
void Push<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  GpuCheck check;
  PushBody<T> const body{Mover<T>(args.motion), b.get<T const>(1), b.get<T>(2), b.size<T>(2) / 6};
  launch_push(body, args, b.get<std::int64_t>(0), check.place(), stream);
  TaskHeader const header = b.header();
  check.end(stream, [header, args, worker = current_worker()](BadNumber const& bad) {
    Error const error = bad.exponent == stale_axis
                            ? not_at_step(args.step - 1)
                            : too_far(args, {std::int64_t(bad.place), bad.exponent, bad.value, bad.beside});
    header.errors->store(Push<T>::name, header.block, worker, std::make_exception_ptr(error));
  });
}

template <class T>
void Kick<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  PushBody<T> const body{Mover<T>(args.motion), b.get<T const>(0), b.get<T>(1), b.size<T>(1) / 6};
  launch_kick(body, args, b.get<std::int64_t>(2), stream);
}

template void Push<double>::gpu(Buffers const&, PushArgs const&, void*);
template void Push<float>::gpu(Buffers const&, PushArgs const&, void*);
template void Kick<double>::gpu(Buffers const&, KickArgs const&, void*);
template void Kick<float>::gpu(Buffers const&, KickArgs const&, void*);

}  // namespace nearfar
