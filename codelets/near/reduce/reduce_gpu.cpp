// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/reduce/reduce_gpu.hpp"

namespace nearfar {

template <class T>
void Reduce<T>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_reduce(ReduceLaunch<T>::of(buffers, args), stream);
}

template void Reduce<double>::gpu(Buffers const&, ReduceArgs const&, void*);
template void Reduce<float>::gpu(Buffers const&, ReduceArgs const&, void*);

}  // namespace nearfar
