// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/near/check/check_team.hpp"
#include "core/kernels/pairs/softened.hpp"

#include <memory>

namespace nearfar {

class GpuWorkSpace;

/// The sums of a check on a stream (cudaStream_t or hipStream_t), one source block after another, `pieces` in
/// all; both members return at once, and throw std::runtime_error if a launch is refused. `Inverse`: of the team. No
/// StarPU in here.
template <class K, class T, class Inverse = InverseDistance<Lanes<double>>>
class CheckQueue {
 public:
  CheckQueue(CheckLaunch<T> const& launch, int pieces, void* stream);
  ~CheckQueue();
  CheckQueue(CheckQueue const&) = delete;
  CheckQueue& operator=(CheckQueue const&) = delete;

  /// Source block number `block`, with room for `stride` points.
  void add(int block, T const* position, T const* strength, std::int64_t stride);
  void end();

 private:
  CheckLaunch<T> launch_;
  int pieces_;
  void* stream_;
  std::unique_ptr<GpuWorkSpace> work_space_;
};

/// With softened pairs.
template <class K, class T>
using SoftCheckQueue = CheckQueue<K, T, SoftInverse<Lanes<double>>>;

}  // namespace nearfar
