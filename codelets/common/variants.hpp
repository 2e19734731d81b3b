// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/stage.hpp"

#include <nearfar/implementation.hpp>

#include <array>

namespace nearfar {

/// One way to run a stage on a CPU worker.
template <class Args>
struct CpuVariant {
  Implementation implementation;
  void (*body)(Buffers const&, Args const&);
};

/// A stage with more bodies for CPUs than portable and tuned: S::variants() is an array of CpuVariant<Args>.
template <class S>
concept VariedStage = Stage<S> && requires {
  S::variants().size();
};

/// All ways to run a stage on a CPU worker, the default one first: the one table from which codelets, reports and tests
/// take them.
template <Stage S>
constexpr auto cpu_variants() {
  using Variant = CpuVariant<typename S::Args>;
  constexpr std::size_t more = [] {
    if constexpr (VariedStage<S>) return S::variants().size();
    else return 0;
  }();
  std::array<Variant, 1 + (TunedStage<S> ? 1 : 0) + more> all{};
  std::size_t n = 0;
  if constexpr (TunedStage<S>) all[n++] = {Implementation::tuned, S::tuned};
  all[n++] = {Implementation::portable, S::portable};
  if constexpr (VariedStage<S>)
    for (auto const& variant : S::variants()) all[n++] = variant;
  return all;
}

/// What a CPU worker runs where StarPU takes implementation `number` of the codelet. Number 0 is what the solve wants,
/// or the default of a stage that does not have that: not every scheduler of StarPU looks further. The others are as in
/// the table, for solves that leave the choice to StarPU.
template <Stage S>
CpuVariant<typename S::Args> cpu_variant(Implementation wanted, unsigned number) noexcept {
  constexpr auto all = cpu_variants<S>();
  for (auto const& variant : all)
    if (number == 0 && variant.implementation == wanted) return variant;
  return all[number < all.size() ? number : 0];
}

/// Its name, for reports.
using VariantName = std::string_view (*)(Implementation wanted, unsigned number);
template <Stage S>
std::string_view variant_name(Implementation wanted, unsigned number) noexcept {
  return name(cpu_variant<S>(wanted, number).implementation);
}

}  // namespace nearfar
