// SPDX-License-Identifier: BSD-3-Clause
#include "codelets/common/gpu_for_all.hpp"
#include "codelets/common/gpu_work_space.hpp"
#include "codelets/near/check/check_gpu.hpp"
#include "core/kernels/instantiate.hpp"

namespace nearfar {

namespace {

template <Kernel K, bool G, class T>
std::int64_t numbers_of(CheckLaunch<T> const& launch) {
  return launch.args.vectors * BarePair<K, G>::results * launch.targets;
}

}  // namespace

template <Kernel K, bool G, class T>
CheckQueue<K, G, T>::CheckQueue(CheckLaunch<T> const& launch, int pieces, void* stream)
    : launch_(launch), stream_(stream),
      work_space_(std::make_unique<GpuWorkSpace>(std::size_t(pieces * numbers_of<K, G>(launch)) * sizeof(double),
                                                 stream, "checks")) {
  launch_.part = reinterpret_cast<double*>(work_space_->data());
}

template <Kernel K, bool G, class T>
CheckQueue<K, G, T>::~CheckQueue() = default;

template <Kernel K, bool G, class T>
void CheckQueue<K, G, T>::add(int block, T const* position, T const* strength, std::int64_t stride) {
  using Program = CheckTeam<K, G, T>;
  launch_.first_piece += launch_.pieces;
  launch_.block = block;
  launch_.position = position;
  launch_.strength = strength;
  launch_.stride = stride;
  launch_.pieces = CheckLaunch<T>::pieces_for(stride);
  if (launch_.pieces == 0) return;
  gpu_run_teams<Program, double>(Program::blocks(launch_), stream_, launch_, "sums pairs for a check");
}

template <Kernel K, bool G, class T>
void CheckQueue<K, G, T>::end() {
  using Gather = CheckGatherTeam<T>;
  std::int64_t const numbers = numbers_of<K, G>(launch_);
  launch_.pieces += launch_.first_piece;
  gpu_run_teams<Gather, double>(Gather::blocks(numbers), stream_, GpuArguments{launch_, numbers}, "adds up a check");
}

#define NEARFAR_INSTANTIATE(T, K, G) template class CheckQueue<K, G, T>;
NEARFAR_EACH_SUM(NEARFAR_INSTANTIATE)

}  // namespace nearfar
