// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/gpu_alias.hpp"
#include "codelets/p2p/p2p_gpu.hpp"

#include <stdexcept>

namespace nearfar {

namespace {

constexpr int threads = 64;

/// Views of this launch by neighbour number; the others are empty.
template <class T>
struct ViewsOfLaunch {
  SourceViews<T> const& sources;
  NEARFAR_FUNCTION SourceView<T> operator()(int neighbour) const {
    int const i = neighbour - sources.first;
    return i >= 0 && i < sources.count ? sources.view[i] : SourceView<T>{};
  }
};

template <Kernel K, bool Gradient, class T>
struct SumRun {
  NearKernel<T> const& near;
  T const* x;
  T* u;
  NEARFAR_FUNCTION void operator()(SourceView<T> const& source, int first, int last, T const* shift) const {
    p2p_run<K, Gradient>(near, x, source, first, last, shift, u);
  }
};

/// One thread block per target cell, one thread per target: the same runs in the same order as on a CPU.
template <Kernel K, bool Gradient, class T>
__global__ void __launch_bounds__(threads) p2p_kernel(P2PLaunch<T> launch, SourceViews<T> sources, bool add) {
  constexpr int results = NearPair<K, Gradient>::results;
  int cell[3];
  cell_of_block(launch.args.cells, launch.args.block, int(blockIdx.x), cell);
  Share const share = launch.args.share;
  int const begin = launch.offset[blockIdx.x], end = launch.offset[blockIdx.x + 1];
  int const first = begin > share.first ? begin : share.first, last = end < share.last ? end : share.last;
  for (int t = first + int(threadIdx.x); t < last; t += threads) {
    T const x[3] = {launch.target[t], launch.target[launch.stride + t], launch.target[2 * launch.stride + t]};
    T u[results] = {};
    for_each_run<T>(launch.args, cell, ViewsOfLaunch<T>{sources}, SumRun<K, Gradient, T>{launch.tables->near, x, u});
    for (int m = 0; m < results; ++m) {
      T* const out = launch.result + m * launch.result_stride + t - share.first;
      *out = add ? *out + u[m] : u[m];
    }
  }
}

}  // namespace

template <Kernel K, bool Gradient, class T>
void launch_p2p(P2PLaunch<T> const& launch, SourceViews<T> const& sources, bool add, void* stream) {
  unsigned const cells = unsigned(cells_of_block(launch.args.cells, launch.args.block));
  p2p_kernel<K, Gradient, T><<<cells, threads, 0, static_cast<GpuStream>(stream)>>>(launch, sources, add);
  if (GpuStatus const status = gpu_last_status(); status != gpu_success)
    throw std::runtime_error(std::string("the P2P kernel could not be launched on ") + std::to_string(cells) +
                             " cells (" + gpu_text(status) + ")");
}

#define NEARFAR_INSTANTIATE(T)                                                                                 \
  template void launch_p2p<Kernel::stokeslet, false>(P2PLaunch<T> const&, SourceViews<T> const&, bool, void*); \
  template void launch_p2p<Kernel::stresslet, false>(P2PLaunch<T> const&, SourceViews<T> const&, bool, void*); \
  template void launch_p2p<Kernel::stokes, false>(P2PLaunch<T> const&, SourceViews<T> const&, bool, void*);    \
  template void launch_p2p<Kernel::laplace, false>(P2PLaunch<T> const&, SourceViews<T> const&, bool, void*);   \
  template void launch_p2p<Kernel::laplace, true>(P2PLaunch<T> const&, SourceViews<T> const&, bool, void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
