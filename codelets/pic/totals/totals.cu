// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/pic/totals/totals_gpu.hpp"

namespace nearfar {

namespace {

struct AddMeasured {
  double const* partial;
  double* sums;

  __device__ void operator()(std::int64_t m) const { sums[m] = add_teams(partial, sum_teams, pic_sums, int(m)); }
};

struct WriteTotals {
  TallyArgs args;
  GpuPointers<double> sums;
  double const* partial;
  int teams;
  double* totals;
  BadNumber* bad;

  __device__ void operator()(std::int64_t) const {
    write_totals(args, sums, add_teams(partial, teams, 1, 0), totals);
    for (int m = pic_sums; m >= 0; --m)
      if (double const value = totals[1 + m]; !(value - value == 0)) *bad = {std::uint64_t(m), value};
  }
};

}  // namespace

template <class T>
void launch_measure(typename MeasureTeam<T>::Launch launch, double* sums, void* stream) {
  GpuWorkSpace const space(sum_teams * pic_sums * sizeof(double), stream, "measure");
  launch.partial = reinterpret_cast<double*>(space.data());
  gpu_run_teams<MeasureTeam<T>, double>(sum_teams, stream, launch, "measures particles");
  gpu_for_all(pic_sums, stream, AddMeasured{launch.partial, sums}, "adds up what particles have");
}

template <class T>
void launch_tally(TallyArgs const& args, GpuPointers<double> const& sums, GpuPointers<T> const& density, double* totals,
                  BadNumber* bad, void* stream) {
  GpuWorkSpace const space(std::size_t(density.count) * sum_teams * sizeof(double), stream, "tally");
  auto* const partial = reinterpret_cast<double*>(space.data());
  for (int slab = 0; slab < density.count; ++slab)
    gpu_run_teams<ChargeTeam<T>, double>(
        sum_teams, stream,
        typename ChargeTeam<T>::Launch{density.at[slab], density.size[slab], partial + slab * sum_teams},
        "adds up the charge");
  gpu_for_all(1, stream, WriteTotals{args, sums, partial, density.count * sum_teams, totals, bad}, "writes totals");
}

#define NEARFAR_INSTANTIATE(T)                                                                                         \
  template void launch_measure<T>(MeasureTeam<T>::Launch, double*, void*);                                             \
  template void launch_tally(TallyArgs const&, GpuPointers<double> const&, GpuPointers<T> const&, double*, BadNumber*, \
                             void*);
NEARFAR_INSTANTIATE(double)
NEARFAR_INSTANTIATE(float)

}  // namespace nearfar
