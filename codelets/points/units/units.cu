// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_alias.hpp"
#include "codelets/points/units/units_gpu.hpp"

#include <algorithm>

namespace nearfar {

namespace {

constexpr int threads = 256, max_blocks = 1024;

/// GPU block (x, y): group y of strengths, over all vectors, of every gridDim.x-th batch of rows. Nonnegative doubles
/// compare like their bit patterns, so an integer atomicMax does.
template <class T>
__global__ void largest_kernel(LargestArgs const args, T const* rows, unsigned long long* out) {
  __shared__ double shared[threads];
  int const t = int(threadIdx.x), groups = strength_groups(args.strengths), group = int(blockIdx.y) % groups,
            vector = int(blockIdx.y) / groups, first = 3 * group,
            last = first + 3 < args.strengths ? first + 3 : args.strengths;
  std::int64_t const row = std::int64_t(args.strengths) * args.vectors;
  double largest = 0;
  for (std::int64_t i = args.begin + std::int64_t(blockIdx.x) * threads + t; i < args.end;
       i += std::int64_t(gridDim.x) * threads)
    for (int m = first; m < last; ++m) {
      double const size = fabs(double(rows[i * row + vector * args.strengths + m]));
      if (size > largest && size - size == 0) largest = size;  // what is not finite does not count
    }
  shared[t] = largest;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half && shared[t + half] > shared[t]) shared[t] = shared[t + half];
  }
  if (t == 0) atomicMax(out + blockIdx.y, static_cast<unsigned long long>(__double_as_longlong(shared[0])));
}

__global__ void __launch_bounds__(UnitsTeam::threads)
    units_kernel(UnitsArgs const args, LaunchList<double const*> const largest, StrengthUnit* out) {
  GpuTeam<NoState> team;
  UnitsTeam::run(team, args, largest, out);
}

}  // namespace

template <class T>
void launch_largest(LargestArgs const& args, T const* rows, double* out, void* stream) {
  auto const on = static_cast<GpuStream>(stream);
  int const groups = strength_groups(args.strengths) * args.vectors;
  gpu_expect(gpu_fill(out, 0, sizeof(double) * std::size_t(groups), on), "largest strengths were not set to 0");
  if (args.end <= args.begin) return;
  std::int64_t const wanted = (args.end - args.begin + threads - 1) / threads;
  dim3 const blocks(unsigned(std::min<std::int64_t>(wanted, max_blocks)), unsigned(groups));
  largest_kernel<<<blocks, threads, 0, on>>>(args, rows, reinterpret_cast<unsigned long long*>(out));
  gpu_expect(gpu_last_status(), "the kernel that finds the largest strengths could not be launched");
}

void launch_units(UnitsArgs const& args, LaunchList<double const*> const& largest, StrengthUnit* out, void* stream) {
  units_kernel<<<1, UnitsTeam::threads, 0, static_cast<GpuStream>(stream)>>>(args, largest, out);
  gpu_expect(gpu_last_status(), "the kernel that chooses units could not be launched");
}

template void launch_largest(LargestArgs const&, double const*, double*, void*);
template void launch_largest(LargestArgs const&, float const*, double*, void*);

}  // namespace nearfar
