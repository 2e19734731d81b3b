// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/laboratory/stages/p2g_ways.hpp"

#include <algorithm>

namespace nearfar {

namespace {

/// Clears the slab before the first launch of those variants whose sources add to it atomically.
template <class T>
void clear(P2GSources<T> const& sources, void* stream) {
  if (sources.blocks.first > 0) return;
  std::size_t const numbers = std::size_t(sources.launch.args.components) * std::size_t(sources.component());
  gpu_expect(gpu_fill(sources.launch.slab, 0, numbers * sizeof(T), static_cast<GpuStream>(stream)),
             "a slab could not be cleared");
}

}  // namespace

template <Spreading S, class T>
void launch_p2g_by_sources(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& blocks, void* stream) {
  P2GSources<T> const sources{launch, blocks};
  clear(sources, stream);
  std::int64_t room = 1;
  for (int i = 0; i < blocks.count; ++i) room = std::max(room, blocks.item[i].stride);
  gpu_for_all(blocks.count * room, stream, SpreadOneSource<S, T>{sources, room}, "spreads source by source");
}

template <Spreading S, class T>
void launch_p2g_by_nodes(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& blocks, void* stream) {
  gpu_for_all(SumAtOneNode<S, T>::count(launch.args), stream, SumAtOneNode<S, T>{{launch, blocks}},
              "spreads node by node");
}

template <Spreading S, class T>
void launch_p2g_by_cells(P2GLaunch<T> const& launch, LaunchList<BlockView<T>> const& blocks, void* stream) {
  using Program = SpreadOneCell<S, T>;
  P2GSources<T> const sources{launch, blocks};
  clear(sources, stream);
  int room = 0;
  for (int i = 0; i < blocks.count; ++i) room = std::max(room, sources.cells(blocks.first + i));
  if (room > 0)
    gpu_run_teams<Program, typename Program::Memory>(blocks.count * room, sizeof(typename Program::Memory), stream,
                                                     typename Program::Launch{sources, room}, "spreads cell by cell");
}

#define NEARFAR_WAYS(T, S)                                                                             \
  template void launch_p2g_by_sources<S>(P2GLaunch<T> const&, LaunchList<BlockView<T>> const&, void*); \
  template void launch_p2g_by_nodes<S>(P2GLaunch<T> const&, LaunchList<BlockView<T>> const&, void*);   \
  template void launch_p2g_by_cells<S>(P2GLaunch<T> const&, LaunchList<BlockView<T>> const&, void*);
NEARFAR_EACH_SPREADING(NEARFAR_WAYS)

}  // namespace nearfar
