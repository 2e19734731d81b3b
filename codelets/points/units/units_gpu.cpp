// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/points/units/units_gpu.hpp"

#if defined(NEARFAR_WITH_CUDA) || defined(NEARFAR_WITH_HIP)

namespace nearfar {

template <class T>
void Largest<T>::gpu(Buffers const& b, Args const& args, void* stream) {
  launch_largest(args, b.get<T const>(0), b.get<double>(1), stream);
}

template void Largest<double>::gpu(Buffers const&, LargestArgs const&, void*);
template void Largest<float>::gpu(Buffers const&, LargestArgs const&, void*);

}  // namespace nearfar

#endif
