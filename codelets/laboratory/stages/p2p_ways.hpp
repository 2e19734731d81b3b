// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/gpu/launch_list.hpp"
#include "codelets/common/kokkos/launches.hpp"
#include "codelets/near/p2p/p2p_launch.hpp"

namespace nearfar {

/// Kernels whose pairs a GPU sums in every way of the laboratory (docs/laboratory.md): those without further outputs.
/// The others, two thirds of all, take compilers longest and are in none of its tables.
template <class K>
inline constexpr bool in_laboratory = K::result_fields.size() == 1;

/// Kernels whose pairs a GPU sums cell by cell at all: the plainest way is also what Kokkos launches for any of them.
template <class K>
inline constexpr bool summed_by_cells = in_laboratory<K> || kokkos_has_gpus;

/// Computes the near field of `sources` cell by cell of targets (p2p_cell_team.hpp), as launch_p2p does: sources come
/// from the device's memory or from what threads share, and one thread sums for each target or several do.
template <class K, class T, class A>
void launch_p2p_by_cells(bool shared, bool two_dimensions, P2PLaunch<T> const& launch,
                         LaunchList<SourceView<A>> const& sources, void* stream);

}  // namespace nearfar
