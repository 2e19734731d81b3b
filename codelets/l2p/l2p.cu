// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/gpu_alias.hpp"
#include "codelets/gpu_crew.hpp"
#include "codelets/l2p/l2p_gpu.hpp"

namespace nearfar {

template <Kernel K, bool Gradient, class T>
void launch_l2p(L2PLaunch<T> const& launch, void* stream) {
  using Program = L2PCrew<K, Gradient, T>;
  unsigned const blocks = unsigned(launch.pieces(Program::threads) * launch.args.vectors);
  crew_kernel<Program, T><<<blocks, Program::threads, 0, static_cast<GpuStream>(stream)>>>(launch);
  gpu_expect(gpu_last_status(), "the L2P kernel could not be launched on " + std::to_string(launch.leaves) + " leaves");
}

#define NEARFAR_INSTANTIATE(T)                                                    \
  template void launch_l2p<Kernel::laplace, false>(L2PLaunch<T> const&, void*);   \
  template void launch_l2p<Kernel::laplace, true>(L2PLaunch<T> const&, void*);    \
  template void launch_l2p<Kernel::stokeslet, false>(L2PLaunch<T> const&, void*); \
  template void launch_l2p<Kernel::stresslet, false>(L2PLaunch<T> const&, void*); \
  template void launch_l2p<Kernel::stokes, false>(L2PLaunch<T> const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
