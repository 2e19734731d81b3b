// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu/gpu_for_all.hpp"
#include "codelets/common/gpu/gpu_work_space.hpp"
#include "codelets/near/check/check_gpu.hpp"
#include "core/kernels/kernels.hpp"

namespace nearfar {

namespace {

template <class K, class T>
std::int64_t numbers_of(CheckLaunch<T> const& launch) {
  return launch.args.vectors * K::results * launch.targets;
}

}  // namespace

template <class K, class T, class Inverse>
CheckQueue<K, T, Inverse>::CheckQueue(CheckLaunch<T> const& launch, int pieces, void* stream)
    : launch_(launch), stream_(stream),
      work_space_(std::make_unique<GpuWorkSpace>(std::size_t(pieces * numbers_of<K>(launch)) * sizeof(double), stream,
                                                 "checks")) {
  launch_.part = reinterpret_cast<double*>(work_space_->data());
}

template <class K, class T, class Inverse>
CheckQueue<K, T, Inverse>::~CheckQueue() = default;

template <class K, class T, class Inverse>
void CheckQueue<K, T, Inverse>::add(int block, T const* position, T const* strength, std::int64_t stride) {
  using Program = CheckTeam<K, T, Inverse>;
  launch_.first_piece += launch_.pieces;
  launch_.block = block;
  launch_.position = position;
  launch_.strength = strength;
  launch_.stride = stride;
  launch_.pieces = CheckLaunch<T>::pieces_for(stride);
  if (launch_.pieces == 0) return;
  gpu_run_teams<Program, double>(Program::blocks(launch_), stream_, launch_, "sums pairs for a check");
}

template <class K, class T, class Inverse>
void CheckQueue<K, T, Inverse>::end() {
  using Gather = CheckGatherTeam<T>;
  std::int64_t const numbers = numbers_of<K>(launch_);
  launch_.pieces += launch_.first_piece;
  gpu_run_teams<Gather, double>(Gather::blocks(numbers), stream_, GpuArguments{launch_, numbers}, "adds up a check");
}

#define NEARFAR_INSTANTIATE(T, K) template class CheckQueue<K, T>;
NEARFAR_EACH_MULTIPOLE_KERNEL(NEARFAR_INSTANTIATE)
#define NEARFAR_INSTANTIATE_SOFT(T, K) template class CheckQueue<K, T, SoftInverse<Lanes<double>>>;
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE_SOFT, double)
NEARFAR_SOFTENED_KERNELS(NEARFAR_INSTANTIATE_SOFT, float)

}  // namespace nearfar
