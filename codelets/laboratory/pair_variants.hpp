// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd/simd.hpp"
#include "codelets/laboratory/pair_kokkos.hpp"
#include "codelets/laboratory/pair_simd.hpp"

// On a GPU, a batch of Kokkos is a single number.
#if KOKKOS_VERSION >= 40000 && !defined(KOKKOS_ENABLE_CUDA) && !defined(KOKKOS_ENABLE_HIP)
#define NEARFAR_KOKKOS_SIMD
#include "codelets/laboratory/pair_kokkos_simd.hpp"
#endif

#include <type_traits>
#include <vector>

namespace nearfar {

/// One way to sum the pairs of a function.
template <class F, class T>
struct PairVariant {
  char const* name;
  void (*sum)(PairSet<T> const&, F const&);
};

/// One loop inside the other: the reference for the other variants.
template <class F, class T>
void pairs_sequential(PairSet<T> const& set, F const& function) {
  for (std::int64_t i = 0; i < set.count; ++i) sum_at_target(function, set, i);
}

template <class F, class T>
void pairs_xsimd(PairSet<T> const& set, F const& function) {
  simd_dispatch([&](auto tag) { pairs_simd<decltype(tag)>(set, function); });
}

/// The variants of Kokkos on its device, if it has one.
template <class F, class T>
void add_device_variants([[maybe_unused]] std::vector<PairVariant<F, T>>& all) {
  using Space = Kokkos::DefaultExecutionSpace;
  if constexpr (!std::is_same_v<Space, PortableSpace>)
    all.insert(all.end(), {{"kokkos-for-device", pairs_flat_for<Space, F, T>},
                           {"kokkos-reduce-device", pairs_flat_reduce<Space, F, T>},
                           {"kokkos-nested-device", pairs_nested<Space, F, T>},
                           {"kokkos-hierarchical-device", pairs_hierarchical<Space, F, T>}});
}

/// All variants: the one table that program and tests use. For
/// a user's function, `simd` is pairs_simd as compiled with it.
template <class F, class T>
std::vector<PairVariant<F, T>> all_pair_variants(void (*simd)(PairSet<T> const&, F const&) = pairs_xsimd<F, T>) {
  std::vector<PairVariant<F, T>> all{{"sequential", pairs_sequential<F, T>},
                                     {"xsimd", simd},
                                     {"kokkos-for", pairs_flat_for<PortableSpace, F, T>},
                                     {"kokkos-reduce", pairs_flat_reduce<PortableSpace, F, T>},
                                     {"kokkos-nested", pairs_nested<PortableSpace, F, T>},
                                     {"kokkos-hierarchical", pairs_hierarchical<PortableSpace, F, T>}};
#if defined(NEARFAR_KOKKOS_SIMD)
  all.push_back({"kokkos-simd", pairs_kokkos_simd<PortableSpace, F, T>});
#endif
  add_device_variants(all);
  return all;
}

}  // namespace nearfar
