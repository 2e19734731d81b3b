// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/kokkos/launches.hpp"

namespace nearfar {

/// Kernels whose pairs a GPU sums in every way of the laboratory (docs/laboratory.md): those without further outputs.
/// The others, two thirds of all, take compilers longest and are in none of its tables.
template <class K>
inline constexpr bool in_laboratory = K::result_fields.size() == 1;

/// Kernels whose pairs a GPU sums cell by cell at all: the plainest way is also what Kokkos launches for any of them.
template <class K>
inline constexpr bool summed_by_cells = in_laboratory<K> || kokkos_has_gpus;

}  // namespace nearfar
