// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/laboratory/pair_gpu.hpp"

#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/laboratory/gpu_fetch.hpp"
#include "codelets/laboratory/pair_team.hpp"
#include "core/kernels/pairs/pair_functions.hpp"
#include "core/kernels/pairs/screened_functions.hpp"

namespace nearfar {

template <bool shared, int parts, class F, class T>
void pairs_gpu(PairSet<T> const& host, F const& function) {
  if (host.count == 0) return;
  auto const bytes = [&](int numbers) { return std::size_t(host.count) * std::size_t(numbers) * sizeof(T); };
  GpuWorkSpace const position(bytes(F::dimensions), nullptr, "positions of pairs"),
      strength(bytes(F::strengths), nullptr, "strengths of pairs"), result(bytes(F::results), nullptr, "sums of pairs");
  gpu_expect(gpu_upload(position.data(), host.position, bytes(F::dimensions)), "positions do not get to the GPU");
  gpu_expect(gpu_upload(strength.data(), host.strength, bytes(F::strengths)), "strengths do not get to the GPU");
  auto const numbers = [](GpuWorkSpace const& space) { return reinterpret_cast<T*>(space.data()); };
  using Program = PairTeam<F, T, shared, parts>;
  gpu_run_teams<Program, T>(
      Program::blocks(host.count), nullptr,
      typename Program::Launch{{host.count, numbers(position), numbers(strength), numbers(result)}, function},
      "sums pairs");
  gpu_expect(gpu_fetch(host.result, result.data(), bytes(F::results)), "sums of pairs do not come from the GPU");
}

bool pairs_have_gpu() { return gpu_is_there(); }

#define NEARFAR_WAYS(F, T)                                                       \
  template void pairs_gpu<false, 1, F, T>(PairSet<T> const&, F const&);          \
  template void pairs_gpu<true, 1, F, T>(PairSet<T> const&, F const&);           \
  template void pairs_gpu<false, pair_parts, F, T>(PairSet<T> const&, F const&); \
  template void pairs_gpu<true, pair_parts, F, T>(PairSet<T> const&, F const&);
#define NEARFAR_INSTANTIATE(F) NEARFAR_WAYS(F, double) NEARFAR_WAYS(F, float)
#define NEARFAR_BOTH(F) NEARFAR_INSTANTIATE(F<2>) NEARFAR_INSTANTIATE(F<3>)
NEARFAR_BOTH(InverseDistance)
NEARFAR_BOTH(InverseSquare)
NEARFAR_BOTH(Logarithm)
NEARFAR_BOTH(Exponential)
NEARFAR_BOTH(RankOne)
NEARFAR_BOTH(OseenTensor)
NEARFAR_INSTANTIATE(ErfcLibrary<3>)
NEARFAR_INSTANTIATE(ErfcRational<3>)
NEARFAR_INSTANTIATE(ErfcPolynomial<3>)

}  // namespace nearfar
