// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/kokkos/launches.hpp"
#include "codelets/common/stage.hpp"

#include <nearfar/implementation.hpp>

#include <array>

namespace nearfar {

/// One way to run a stage on a CPU worker, and on a GPU's.
template <class Args>
struct CpuVariant {
  Implementation implementation;
  void (*body)(Buffers const&, Args const&);
};
template <class Args>
struct GpuVariant {
  Implementation implementation;
  void (*body)(Buffers const&, Args const&, void* stream);
};

/// A stage with more bodies for CPUs than portable and tuned: S::variants() is an array of CpuVariant<Args>.
template <class S>
concept VariedStage = Stage<S> && requires {
  S::variants().size();
};
/// And one with several for GPUs: S::gpu_variants() is an array of GpuVariant<Args>.
template <class S>
concept VariedGpuStage = GpuStage<S> && requires {
  S::gpu_variants().size();
};

/// All ways to run a stage on a CPU worker, the default
/// first: the one table that codelets, reports and tests use.
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

/// Where Kokkos was built for GPUs it launches what a stage runs on one: S::gpu, or the plain body S::portable_gpu of a
/// stage that has such.
template <GpuStage S>
void gpu_by_kokkos(Buffers const& buffers, typename S::Args const& args, void* stream) {
  KokkosLaunches const by_kokkos;
  if constexpr (requires { S::portable_gpu(buffers, args, stream); }) S::portable_gpu(buffers, args, stream);
  else S::gpu(buffers, args, stream);
}

/// The same for GPU workers; the portable one only where Kokkos was built for them.
template <GpuStage S>
constexpr auto gpu_variants() {
  using Variant = GpuVariant<typename S::Args>;
  constexpr std::size_t more = [] {
    if constexpr (VariedGpuStage<S>) return S::gpu_variants().size();
    else return 0;
  }();
  std::array<Variant, 1 + more + (kokkos_has_gpus ? 1 : 0)> all{};
  all[0] = {Implementation::tuned, S::gpu};
  if constexpr (VariedGpuStage<S>)
    for (std::size_t i = 0; i < more; ++i) all[i + 1] = S::gpu_variants()[i];
  if constexpr (kokkos_has_gpus) all[1 + more] = {Implementation::portable, gpu_by_kokkos<S>};
  return all;
}

/// What a worker runs where StarPU takes implementation `number` of the codelet. Number 0 is what the solve wants, or
/// the default of a stage that does not have that: not every scheduler of StarPU looks further. The others are as in
/// the table, for solves that leave the choice to StarPU.
template <class Variants>
constexpr auto variant_of(Variants const& all, Implementation wanted, unsigned number) noexcept {
  for (auto const& variant : all)
    if (number == 0 && variant.implementation == wanted) return variant;
  return all[number < all.size() ? number : 0];
}
template <Stage S>
CpuVariant<typename S::Args> cpu_variant(Implementation wanted, unsigned number) noexcept {
  return variant_of(cpu_variants<S>(), wanted, number);
}
template <GpuStage S>
GpuVariant<typename S::Args> gpu_variant(Implementation wanted, unsigned number) noexcept {
  return variant_of(gpu_variants<S>(), wanted, number);
}

/// Whether GPUs may run tasks of a solve that asks for this.
constexpr bool suits_gpus(Implementation wanted) noexcept {
  return wanted != Implementation::portable || kokkos_has_gpus;
}

/// The name of a variant, for reports.
using VariantName = std::string_view (*)(Implementation wanted, unsigned number, bool on_cpu);
template <Stage S>
std::string_view variant_name(Implementation wanted, unsigned number, bool on_cpu) noexcept {
  if (on_cpu) return name(cpu_variant<S>(wanted, number).implementation);
  if constexpr (GpuStage<S>) {
    auto const ran = gpu_variant<S>(wanted, number).implementation;
    if (ran != Implementation::tuned) return name(ran);
  }
  return "gpu";
}

}  // namespace nearfar
