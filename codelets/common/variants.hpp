// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/common/kokkos/launches.hpp"
#include "codelets/common/stage.hpp"

#include <nearfar/implementation.hpp>

#include <span>
#include <vector>

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

/// A stage with more bodies for CPUs than portable and tuned. It only declares the table of them, a
/// std::span<CpuVariant<Args> const>, which stands with the bodies; those of studies are in codelets/laboratory/stages.
template <class S>
concept VariedStage = Stage<S> && requires {
  S::further_variants().size();
};
/// And one with several for GPUs: std::span<GpuVariant<Args> const>.
template <class S>
concept VariedGpuStage = GpuStage<S> && requires {
  S::further_gpu_variants().size();
};

/// All ways to run a stage on a CPU worker, the default
/// first: the one table that codelets, reports and tests use.
template <Stage S>
std::vector<CpuVariant<typename S::Args>> const& cpu_variants() {
  static auto const all = [] {
    std::vector<CpuVariant<typename S::Args>> some;
    if constexpr (TunedStage<S>) some.push_back({Implementation::tuned, S::tuned});
    some.push_back({Implementation::portable, S::portable});
    if constexpr (VariedStage<S>)
      for (auto const& variant : S::further_variants()) some.push_back(variant);
    return some;
  }();
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
std::vector<GpuVariant<typename S::Args>> const& gpu_variants() {
  static auto const all = [] {
    std::vector<GpuVariant<typename S::Args>> some{{Implementation::tuned, S::gpu}};
    if constexpr (VariedGpuStage<S>)
      for (auto const& variant : S::further_gpu_variants()) some.push_back(variant);
    if constexpr (kokkos_has_gpus) some.push_back({Implementation::portable, gpu_by_kokkos<S>});
    return some;
  }();
  return all;
}

/// What a worker runs where StarPU takes implementation `number` of the codelet. Number 0 is what the solve wants, or
/// the default of a stage that does not have that: not every scheduler of StarPU looks further. The others are as in
/// the table, for solves that leave the choice to StarPU.
template <class Variant>
Variant variant_of(std::vector<Variant> const& all, Implementation wanted, unsigned number) noexcept {
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
