// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/fmm/p2m/p2m_gpu.hpp"

#include "codelets/fmm/p2m/p2l_gpu.hpp"
#include "codelets/fmm/p2m/p2m.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

template <class T, class Sums>
void P2M<T, Sums>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  launch_p2m<Sums>(P2MLaunch<T>{P2MLaunch<T>::of(buffers, args)}, stream);
}

template <class T, class Sums>
void P2L<T, Sums>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  auto const launch = P2LLaunch<T>::of(buffers, args);
  launch_in_parts<PairSources<T>>(
      buffers.items<LeafSources>(2), [&](int i) { return PairSources<T>::of(buffers, 2, i); },
      [&](auto const& sources) { launch_p2l<Sums>(launch, sources, stream); });
}

#define NEARFAR_INSTANTIATE(T, Sums)                                      \
  template void P2M<T, Sums>::gpu(Buffers const&, P2MArgs const&, void*); \
  template void P2L<T, Sums>::gpu(Buffers const&, P2LArgs const&, void*);
NEARFAR_EACH_SUMS(NEARFAR_INSTANTIATE)

}  // namespace nearfar
