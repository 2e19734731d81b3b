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

/// A variant of any stage; who knows the stage's arguments knows the type of the body (typed_as).
struct Variant {
  Implementation implementation;
  void (*body)();
};
template <class Typed>
Variant untyped(Typed const& variant) noexcept {
  return {variant.implementation, reinterpret_cast<void (*)()>(variant.body)};
}
template <class Typed>
Typed typed_as(Variant const& variant) noexcept {
  return {variant.implementation, reinterpret_cast<decltype(Typed::body)>(variant.body)};
}

void add(std::vector<Variant>& all, Variant const& variant);  ///< compiled once, not for each stage

/// All ways to run a stage on a CPU worker, the default first: codelets, reports and tests take them from here.
template <Stage S>
void add_cpu_variants(std::vector<Variant>& all) {
  using Typed = CpuVariant<typename S::Args>;
  if constexpr (TunedStage<S>) add(all, untyped(Typed{Implementation::tuned, S::tuned}));
  add(all, untyped(Typed{Implementation::portable, S::portable}));
  if constexpr (VariedStage<S>)
    for (auto const& variant : S::further_variants()) add(all, untyped(variant));
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
void add_gpu_variants(std::vector<Variant>& all) {
  using Typed = GpuVariant<typename S::Args>;
  add(all, untyped(Typed{Implementation::tuned, S::gpu}));
  if constexpr (VariedGpuStage<S>)
    for (auto const& variant : S::further_gpu_variants()) add(all, untyped(variant));
  if constexpr (kokkos_has_gpus) add(all, untyped(Typed{Implementation::portable, gpu_by_kokkos<S>}));
}

/// Whether GPUs may run tasks of a solve that asks for this.
constexpr bool suits_gpus(Implementation wanted) noexcept {
  return wanted != Implementation::portable || kokkos_has_gpus;
}

}  // namespace nearfar
