// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_alias.hpp"
#include "codelets/common/gpu/gpu_warp.hpp"
#include "codelets/near/p2p/p2p_team.hpp"
#include "core/kernels/kernels.hpp"

#include "tests/tasks/engine/gpu/p2p_variants.hpp"

namespace nearfar::test {

namespace {

template <class Program, class A, int resident>
__global__ void __launch_bounds__(Program::threads, resident)
    variant_kernel(P2PLaunch<double> const launch, LaunchList<SourceView<A>> const sources) {
  using Memory = typename Program::Memory;
  alignas(Memory) __shared__ unsigned char memory[sizeof(Memory)];
  GpuWarp<typename Program::State> warp;
  Program::run(warp, launch, sources, int(blockIdx.x), *reinterpret_cast<Memory*>(memory));
}

template <class A, int tile, int at_once, int resident>
void launch_variant(Buffers const& buffers, P2PArgs const& args) {
#if defined(__HIPCC__)
  constexpr int warp = 64;
#else
  constexpr int warp = 32;
#endif
  using Program = P2PTeam<Stokes, double, warp, tile, A, at_once>;
  P2PBuffers<double, A> const b(buffers);
  auto const launch = P2PLaunch<double>::of(b, args);
  launch_in_parts<SourceView<A>>(
      args.neighbours.count(), [&](int i) { return b.source(i); },
      [&](auto const& sources) {
        variant_kernel<Program, A, resident>
            <<<unsigned(Program::blocks(args.chunk)), Program::threads>>>(launch, sources);
      });
  gpu_expect(gpu_last_status(), "a variant of the P2P kernel could not be launched");
}

template <class A, int tile, int at_once, int resident>
constexpr P2PVariant variant{tile, at_once, resident, launch_variant<A, tile, at_once, resident>};

}  // namespace

template <>
std::vector<P2PVariant> p2p_variants<double>() {
  return {variant<double, 8, 2, 16>, variant<double, 8, 2, 12>, variant<double, 8, 1, 20>, variant<double, 4, 2, 16>};
}
template <>
std::vector<P2PVariant> p2p_variants<float>() {
  return {variant<float, 8, 2, 20>, variant<float, 8, 2, 16>,  variant<float, 8, 4, 16>,
          variant<float, 4, 2, 16>, variant<float, 16, 2, 16>, variant<float, 8, 1, 20>};
}

}  // namespace nearfar::test
