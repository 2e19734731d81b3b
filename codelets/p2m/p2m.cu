// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/gpu_alias.hpp"
#include "codelets/gpu_crew.hpp"
#include "codelets/p2m/p2m_gpu.hpp"

namespace nearfar {

template <Kernel K, class T>
void launch_p2m(P2MLaunch<T> const& launch, void* stream) {
  unsigned const blocks = unsigned(launch.leaves * launch.args.vectors);
  constexpr int threads = P2MCrew<K, 1, T>::threads, slots = (coefficient_count(max_fmm_order) + threads - 1) / threads;
  auto const to = static_cast<GpuStream>(stream);
  if (coefficient_count(launch.args.order) <= threads)
    crew_kernel<P2MCrew<K, 1, T>, T><<<blocks, threads, 0, to>>>(launch);
  else crew_kernel<P2MCrew<K, slots, T>, T><<<blocks, threads, 0, to>>>(launch);
  gpu_expect(gpu_last_status(), "the P2M kernel could not be launched on " + std::to_string(launch.leaves) + " leaves");
}

#define NEARFAR_INSTANTIATE(T)                                             \
  template void launch_p2m<Kernel::laplace>(P2MLaunch<T> const&, void*);   \
  template void launch_p2m<Kernel::stokeslet>(P2MLaunch<T> const&, void*); \
  template void launch_p2m<Kernel::stresslet>(P2MLaunch<T> const&, void*); \
  template void launch_p2m<Kernel::stokes>(P2MLaunch<T> const&, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
