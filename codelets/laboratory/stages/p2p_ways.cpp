// SPDX-License-Identifier: BSD-3-Clause
// Further bodies of P2P for GPUs.
#include "codelets/laboratory/stages/p2p_ways.hpp"

#include "codelets/near/p2p/p2p.hpp"
#include "core/kernels/kernels.hpp"

#include <array>

namespace nearfar {

namespace {

template <class T, class K, class A, bool shared, bool two_dimensions>
void by_cells(Buffers const& buffers, P2PArgs const& args, void* stream) {
  P2PBuffers<T, A> const b(buffers);
  auto const launch = P2PLaunch<T>::of(b, args);
  launch_in_parts<SourceView<A>>(
      args.neighbours.count(), [&](int i) { return b.source(i); },
      [&](auto const& sources) { launch_p2p_by_cells<K>(shared, two_dimensions, launch, sources, stream); });
}

}  // namespace

template <class T, class K, class A>
void P2P<T, K, A>::portable_gpu(Buffers const& buffers, Args const& args, void* stream) {
  by_cells<T, K, A, false, false>(buffers, args, stream);
}

template <class T, class K, class A>
std::span<GpuVariant<P2PArgs> const> P2P<T, K, A>::further_gpu_variants() {
  if constexpr (in_laboratory<K>) {
    using Variant = GpuVariant<Args>;
    static constexpr std::array all{
        Variant{global_1d, by_cells<T, K, A, false, false>}, Variant{shared_1d, by_cells<T, K, A, true, false>},
        Variant{global_2d, by_cells<T, K, A, false, true>}, Variant{shared_2d, by_cells<T, K, A, true, true>}};
    return all;
  }
  return {};
}

#define NEARFAR_INSTANTIATE(T, A, K)                                               \
  template void P2P<T, K, A>::portable_gpu(Buffers const&, P2PArgs const&, void*); \
  template std::span<GpuVariant<P2PArgs> const> P2P<T, K, A>::further_gpu_variants();
NEARFAR_EACH_NEAR_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar
