// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "codelets/fmm/translate/dense_team.hpp"
#include "codelets/fmm/translate/target_team.hpp"

#include <memory>
#include <optional>

namespace nearfar {

class GpuWorkSpace;

/// All shifts of a task, on a stream (cudaStream_t or hipStream_t); returns at once. `interactions` is how many the
/// table may hold. Many M2L go by whole matrices (dense_layout.hpp), those of low orders by targets (target_team.hpp).
/// Throws std::runtime_error when a launch is refused. No StarPU in here.
template <class T>
class TranslateQueue {
 public:
  TranslateQueue(TranslateLaunch<T> const& launch, int separation, std::int64_t interactions, void* stream);
  ~TranslateQueue();
  TranslateQueue(TranslateQueue const&) = delete;
  TranslateQueue& operator=(TranslateQueue const&) = delete;

  int interactions_at_once() const { return at_once_; }
  /// The interactions first .. last, those from these sources.
  void shift(int first, int last, bool add, LaunchList<T const*> const& sources);

 private:
  std::size_t notes_bytes() const;
  void shift_by_turns(LaunchList<T const*> const& sources);

  DenseLaunch<T> launch_;
  std::unique_ptr<GpuWorkSpace> work_space_;
  void* stream_;
  int at_once_;
  int lanes_ = 0;  ///< expansions that blocks of threads take, by whole matrices; 0: by turns
  std::optional<TargetLaunch<T>> by_targets_{};  ///< of low orders
};

}  // namespace nearfar
