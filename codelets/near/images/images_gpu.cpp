// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/near/images/images_gpu.hpp"

#include "codelets/near/images/images.hpp"
#include "codelets/near/images/images_buffers.hpp"
#include "core/kernels/pairs/force_kernels.hpp"

namespace nearfar {

template <class T, class K, class A>
void Images<T, K, A>::gpu(Buffers const& buffers, Args const& args, void* stream) {
  ImagesBuffers<T, A> const b(buffers);
  ImagesLaunch<T, A> const task{args, b.tables, b.target, b.offset, b.stride, b.source(args.own).packed, b.sums};
  launch_in_parts<SourceView<A>>(
      args.neighbours.count(), [&](int i) { return b.source(i); },
      [&](auto const& sources) { launch_images<K>(task, sources, stream); });
}

#define NEARFAR_INSTANTIATE(T, A, K) template void Images<T, K, A>::gpu(Buffers const&, P2PArgs const&, void*);
NEARFAR_EACH_FORCE_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar
