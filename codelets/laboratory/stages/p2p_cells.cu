// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/laboratory/stages/p2p_cell_team.hpp"
#include "codelets/laboratory/stages/p2p_ways.hpp"
#include "core/kernels/kernels.hpp"
#include "core/math/expects.hpp"

namespace nearfar {

namespace {

constexpr int several = 4;  ///< threads for a target

template <class Program, class T, class A>
void launch_program(P2PLaunch<T> const& launch, LaunchList<SourceView<A>> const& sources, void* stream) {
  gpu_run_teams<Program, typename Program::Memory>(Program::blocks(launch.args), sizeof(typename Program::Memory),
                                                   stream, typename Program::Launch{launch, sources},
                                                   "sums the pairs of cells");
}

}  // namespace

template <class K, class T, class A>
void launch_p2p_by_cells(bool shared, bool two_dimensions, P2PLaunch<T> const& launch,
                         LaunchList<SourceView<A>> const& sources, void* stream) {
  bool const plain = !shared && !two_dimensions;
  EXPECTS(in_laboratory<K> || (summed_by_cells<K> && plain), shared, two_dimensions);
  if constexpr (summed_by_cells<K>)
    if (plain) launch_program<P2PCellTeam<K, T, A, 1, false>>(launch, sources, stream);
  if constexpr (in_laboratory<K>) {
    if (!shared && two_dimensions) launch_program<P2PCellTeam<K, T, A, several, false>>(launch, sources, stream);
    if (shared && !two_dimensions) launch_program<P2PCellTeam<K, T, A, 1, true>>(launch, sources, stream);
    if (shared && two_dimensions) launch_program<P2PCellTeam<K, T, A, several, true>>(launch, sources, stream);
  }
}

#define NEARFAR_INSTANTIATE(T, A, K) \
  template void launch_p2p_by_cells<K>(bool, bool, P2PLaunch<T> const&, LaunchList<SourceView<A>> const&, void*);
NEARFAR_EACH_NEAR_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar
