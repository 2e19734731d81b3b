// SPDX-License-Identifier: BSD-3-Clause
#include "tasks/ewald/stages.hpp"

#include "core/ewald/far/far_virial_operator.hpp"
#include "core/ewald/far/influence_operator.hpp"
#include "core/kernels/pairs/force_kernels.hpp"
#include "core/kernels/several.hpp"

#include <algorithm>
#include <stdexcept>

namespace nearfar::detail {

namespace {

template <class A, class Far>
void insert_transform(Graph& graph, FarSetup<A> const& far, bool by_table, EwaldWorkspace const& work,
                      std::vector<bool> const& is_sent, std::vector<Handle> const& sums) {
  auto const insert = [&](auto const& influence) {
    far.transform.insert(graph, influence, far.multipliers, work.all_slabs(), work.tiles, work.all_slabs(), is_sent,
                         sums);
  };
  auto const insert_formula = [&](auto influence) {
    std::copy_n(far.zero_mode.begin(), far.zero_mode.size(), influence.zero_mode);
    insert(influence);
  };
  if constexpr (std::is_same_v<Far, LaplaceFar>)
    if (!sums.empty()) return insert_formula(FarVirialOperator<A>{{}, far.slope});
  if (by_table) insert(InfluenceOperator<A, Far>{});
  else insert_formula(FarOperator<A, Far>{});
}

}  // namespace

template <class T>
Inserter<P2P<T, Laplace>> near_stage(KernelDescription const& kernel, bool in_single, int vectors) {
  if (vectors > 1) {
    auto const of = [&]<class S>(S) -> Inserter<P2P<T, Laplace>> {
      return in_single ? inserter<P2PSeveral<T, S, float>>() : inserter<P2PSeveral<T, S>>();
    };
#define NEARFAR_STAGE(of, K) \
  if (kernel.symbol == K::symbol) return vectors == 2 ? of(Two<K>()) : of(Four<K>());
    NEARFAR_SEVERAL_KERNELS(NEARFAR_STAGE, of)
#undef NEARFAR_STAGE
    throw std::logic_error("kernel " + std::string(kernel.symbol) + " does not sum several vectors together");
  }
  return visit_kernel(kernel.kernel, kernel.outputs, [=]<class K>(K) -> Inserter<P2P<T, Laplace>> {
    return in_single ? inserter<P2P<T, K, float>>() : inserter<P2P<T, K>>();
  });
}

template <class T>
Inserter<Images<T, LaplaceGradient>> image_stage(KernelDescription const& kernel, bool in_single) {
#define NEARFAR_STAGE(T, K) \
  if (kernel.kernel == K::kernel) return in_single ? inserter<Images<T, K, float>>() : inserter<Images<T, K>>();
  NEARFAR_FORCE_KERNELS(NEARFAR_STAGE, T)
#undef NEARFAR_STAGE
  throw std::logic_error("kernel " + std::string(kernel.name) + " has no virial");
}

template <class A>
FarStages<A> far_stages(KernelDescription const& kernel) {
  return visit_kernel(kernel.kernel, kernel.outputs, []<class K>(K) -> FarStages<A> {
    return {inserter<P2G<A, K::spreading>>(), insert_transform<A, typename K::Far>,
            inserter<G2P<A, typename K::Gather>>()};
  });
}

template Inserter<P2P<double, Laplace>> near_stage<double>(KernelDescription const&, bool, int);
template Inserter<P2P<float, Laplace>> near_stage<float>(KernelDescription const&, bool, int);
template Inserter<Images<double, LaplaceGradient>> image_stage<double>(KernelDescription const&, bool);
template Inserter<Images<float, LaplaceGradient>> image_stage<float>(KernelDescription const&, bool);
template FarStages<double> far_stages<double>(KernelDescription const&);
template FarStages<float> far_stages<float>(KernelDescription const&);

}  // namespace nearfar::detail
