// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_alias.hpp"
#include "codelets/common/gpu_work_space.hpp"
#include "codelets/points/moment/moment_gpu.hpp"

namespace nearfar {

namespace {

constexpr int threads = 256, parts = 256;  // GPU blocks, each of which sums a part

/// Sums over the threads of a GPU block; thread 0 has the result.
__device__ void sum_up(double (&sum)[moment_size], double (*shared)[threads]) {
  int const t = int(threadIdx.x);
  for (int m = 0; m < moment_size; ++m) shared[m][t] = sum[m];
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half)
      for (int m = 0; m < moment_size; ++m) shared[m][t] += shared[m][t + half];
  }
  if (t == 0)
    for (int m = 0; m < moment_size; ++m) sum[m] = shared[m][0];
}

template <class T>
__global__ void moment_kernel(MomentLaunch<T> const b, double* part) {
  __shared__ double shared[moment_size][threads];
  double sum[moment_size] = {};
  int const points = *b.points;
  for (int i = int(blockIdx.x) * threads + int(threadIdx.x); i < points; i += threads * parts) {
    double qn = 0;
    for (int d = 0; d < 3; ++d) qn += b.dipole[d * b.stride + i] * b.dipole[(3 + d) * b.stride + i];
    sum[0] += qn;
    for (int d = 0; d < 3; ++d) sum[1 + d] += qn * double(b.position[d * b.stride + i]);
  }
  sum_up(sum, shared);
  if (threadIdx.x == 0)
    for (int m = 0; m < moment_size; ++m) part[int(blockIdx.x) * moment_size + m] = sum[m];
}

__global__ void moment_total_kernel(double const* part, double* out) {
  __shared__ double shared[moment_size][threads];
  static_assert(parts == threads);
  double sum[moment_size];
  for (int m = 0; m < moment_size; ++m) sum[m] = part[int(threadIdx.x) * moment_size + m];
  sum_up(sum, shared);
  if (threadIdx.x == 0)
    for (int m = 0; m < moment_size; ++m) out[m] = sum[m];
}

__global__ void moment_sum_kernel(LaunchList<double const*> const moments, double factor, double* out) {
  int const m = int(threadIdx.x);
  double sum = moments.first > 0 ? out[m] : 0;
  for (int i = 0; i < moments.count; ++i) sum += moments.item[i][m];
  out[m] = factor * sum;
}

}  // namespace

template <class T>
void launch_moment(MomentLaunch<T> const& launch, void* stream) {
  auto const on = static_cast<GpuStream>(stream);
  GpuWorkSpace const space(sizeof(double) * moment_size * parts, stream, "moments");
  auto* const part = reinterpret_cast<double*>(space.data());
  moment_kernel<<<parts, threads, 0, on>>>(launch, part);
  moment_total_kernel<<<1, threads, 0, on>>>(part, launch.out);
  gpu_expect(gpu_last_status(), "the kernels of a moment could not be launched");
}

void launch_moment_sum(LaunchList<double const*> const& moments, int blocks, double factor, double* out, void* stream) {
  bool const is_last = moments.first + moments.count >= blocks;
  moment_sum_kernel<<<1, moment_size, 0, static_cast<GpuStream>(stream)>>>(moments, is_last ? factor : 1, out);
  gpu_expect(gpu_last_status(), "the kernel that adds moments could not be launched");
}

template void launch_moment(MomentLaunch<double> const&, void*);
template void launch_moment(MomentLaunch<float> const&, void*);

}  // namespace nearfar
