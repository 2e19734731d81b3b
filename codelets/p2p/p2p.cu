// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/gpu_alias.hpp"
#include "codelets/p2p/p2p_gpu.hpp"

#include <stdexcept>

namespace nearfar {

namespace {

constexpr int threads = 128, lanes = 8;  // lanes share a target: a task has too few targets to fill a GPU

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
  int lane;
  T* u;
  NEARFAR_FUNCTION void operator()(SourceView<T> const& source, int first, int last, T const* shift) const {
    p2p_run<K, Gradient>(near, x, source, first + lane, last, lanes, shift, u);
  }
};

/// The cell that holds a point of the block: the last that begins at it or before.
NEARFAR_FUNCTION int cell_of_point(std::int32_t const* offset, int cells, int point) {
  int low = 0, high = cells;
  while (high - low > 1) {
    int const middle = (low + high) / 2;
    (offset[middle] <= point ? low : high) = middle;
  }
  return low;
}

/// A few threads per target. Those of a warp are neighbours along z and walk through much the same runs.
template <Kernel K, bool Gradient, class T>
__global__ void __launch_bounds__(threads) p2p_kernel(P2PLaunch<T> launch, SourceViews<T> sources, bool add) {
  constexpr int row = result_row(NearPair<K, Gradient>::results);
  P2PArgs const& args = launch.args;
  int const thread = int(blockIdx.x) * threads + int(threadIdx.x), i = thread / lanes, lane = thread % lanes;
  // Threads past the end help the last target in vain: all of a warp must meet in the exchange below.
  bool const there = i < args.share.count();
  int const t = there ? args.share.first + i : args.share.last - 1;
  int cell[3];
  cell_of_block(args.cells, args.block, cell_of_point(launch.offset, cells_of_block(args.cells, args.block), t), cell);
  T const x[3] = {launch.target[t], launch.target[launch.stride + t], launch.target[2 * launch.stride + t]};
  T u[row] = {};
  for_each_run<T>(args, cell, ViewsOfLaunch<T>{sources}, SumRun<K, Gradient, T>{launch.tables->near, x, lane, u});
  for (int m = 0; m < row; ++m) {
    for (int distance = lanes / 2; distance > 0; distance /= 2) u[m] += gpu_exchange(u[m], distance);
    if (!there || lane != 0) continue;
    T* const out = launch.result + std::int64_t(i) * row + m;
    *out = add ? *out + u[m] : u[m];
  }
}

}  // namespace

template <Kernel K, bool Gradient, class T>
void launch_p2p(P2PLaunch<T> const& launch, SourceViews<T> const& sources, bool add, void* stream) {
  unsigned const points = unsigned(launch.args.share.count()), blocks = (points * lanes + threads - 1) / threads;
  p2p_kernel<K, Gradient, T><<<blocks, threads, 0, static_cast<GpuStream>(stream)>>>(launch, sources, add);
  if (GpuStatus const status = gpu_last_status(); status != gpu_success)
    throw std::runtime_error(std::string("the P2P kernel could not be launched on ") + std::to_string(points) +
                             " targets (" + gpu_text(status) + ")");
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
