// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/simd.hpp"
#include "codelets/laboratory/pair_kokkos.hpp"
#include "codelets/laboratory/pair_simd.hpp"

#include <array>

namespace nearfar {

/// One way to sum the pairs of a function.
template <class F, class T>
struct PairVariant {
  char const* name;
  void (*sum)(PairSet<T> const&, F const&);
};

template <class F, class T>
void pairs_xsimd(PairSet<T> const& set, F const& function) {
  simd_dispatch([&](auto tag) { pairs_simd<decltype(tag)>(set, function); });
}

/// All of them: the one table from which program and tests take them. Of a user's function, `simd` is pairs_simd as
/// compiled with it.
template <class F, class T>
constexpr std::array<PairVariant<F, T>, 6> all_pair_variants(void (*simd)(PairSet<T> const&,
                                                                          F const&) = pairs_xsimd<F, T>) {
  return {{{"sequential", pairs_sequential<F, T>},
           {"xsimd", simd},
           {"kokkos-for", pairs_flat_for<F, T>},
           {"kokkos-reduce", pairs_flat_reduce<F, T>},
           {"kokkos-nested", pairs_nested<F, T>},
           {"kokkos-hierarchical", pairs_hierarchical<F, T>}}};
}

}  // namespace nearfar
