// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/moment/moment_gpu.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T>
void Moment<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  std::int64_t const stride = b.size<T>(0) / 3;
  launch_moment<T>({b.get<T const>(0), b.get<std::int32_t const>(1) + b.size<std::int32_t>(1) - 1,
                    moment_dipole<T>(b, args, stride), stride, b.get<double>(3)},
                   stream);
}

void MomentSum::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_in_parts<double const*>(
      b.count(0), [&](int i) { return b.get<double const>(0, i); },
      [&](auto const& moments) { launch_moment_sum(moments, b.count(0), args.factor, b.get<double>(1), stream); });
}

template void Moment<double>::gpu(Buffers const&, MomentArgs const&, void*);
template void Moment<float>::gpu(Buffers const&, MomentArgs const&, void*);

}  // namespace nearfar

#endif
