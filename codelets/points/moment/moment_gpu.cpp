// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/moment/moment_gpu.hpp"

namespace nearfar {

template <class T>
void Moment<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_moment(MomentLaunch<T>::of(b, args), stream);
}

void MomentSum::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_in_parts<double const*>(
      b.count(0), [&](int i) { return b.get<double const>(0, i); },
      [&](auto const& moments) {
        bool const is_last = moments.first + moments.count >= b.count(0);
        launch_moment_sum({moments, is_last ? args.factor : 1, b.get<double>(1)}, stream);
      });
}

template void Moment<double>::gpu(Buffers const&, MomentArgs const&, void*);
template void Moment<float>::gpu(Buffers const&, MomentArgs const&, void*);

}  // namespace nearfar
